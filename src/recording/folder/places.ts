/** Positions in a recording, given as a height and the time since that height became the head. */
import { countUpTo, type Head } from '../playback/library.ts'
import { tenths } from '../playback/headTimes.ts'

/**
 * A height and an offset in ms. `height` 0 means before the first head; without an offset, it means
 * before everything.
 */
export type RecordedPlace = { readonly height: number; readonly offset: number | undefined }

/** The origin of places: the start of the recording and its heads. */
export type Axis = { readonly startsAt: number; readonly heads: readonly Head[] }

/** Returns the place of a moment in ms. */
export function placeOf({ startsAt, heads }: Axis, at: number): RecordedPlace {
  if (at === -Infinity) return { height: 0, offset: undefined }
  const head = heads[countUpTo(heads, at, (one) => one.at) - 1]
  if (head === undefined) return { height: 0, offset: tenths(at - startsAt) }
  return { height: head.height, offset: tenths(at - head.at) }
}

/** Returns the moment of a place in ms: the inverse of `placeOf`. */
export function momentOf({ startsAt, heads }: Axis, { height, offset }: RecordedPlace): number {
  if (height === 0) return offset === undefined ? -Infinity : tenths(startsAt + offset)
  const head = heads[countUpTo(heads, height, (one) => one.height) - 1]
  return tenths((head?.at ?? startsAt) + (offset ?? 0))
}
