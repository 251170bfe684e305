/** Moments of a recording as heights: a head that was known, and how long it was known already. */
import { countUpTo, type Head } from '../playback/library.ts'
import { tenths } from '../playback/headTimes.ts'

/** `height` 0 is before the first head; without an offset it is before everything. */
export type Place = { readonly height: number; readonly offset: number | undefined }

/** What places are counted from. */
export type Axis = { readonly startsAt: number; readonly heads: readonly Head[] }

/** Returns where a moment in ms stands. */
export function placeOf({ startsAt, heads }: Axis, at: number): Place {
  if (at === -Infinity) return { height: 0, offset: undefined }
  const head = heads[countUpTo(heads, at, (one) => one.at) - 1]
  if (head === undefined) return { height: 0, offset: tenths(at - startsAt) }
  return { height: head.height, offset: tenths(at - head.at) }
}

/** Returns the moment of a place, the inverse of `placeOf`. */
export function momentOf({ startsAt, heads }: Axis, { height, offset }: Place): number {
  if (height === 0) return offset === undefined ? -Infinity : tenths(startsAt + offset)
  const head = heads[countUpTo(heads, height, (one) => one.height) - 1]
  return tenths((head?.at ?? startsAt) + (offset ?? 0))
}
