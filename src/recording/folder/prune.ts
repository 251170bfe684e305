/** Removes the parts of a recording that a test does not need. */
import { digestOf } from '../playback/draft.ts'
import type { Library } from '../playback/library.ts'
import { placeOf } from './places.ts'

export type Keep = {
  /** Calls that a run used; undefined keeps all calls. */
  readonly used: ReadonlySet<string> | undefined
  /** The first and the last height to keep. */
  readonly heights: readonly [number, number]
}

/** Returns the pruned recording and the removed calls, sorted. */
export function pruned(
  library: Library,
  { used, heights: [first, last] }: Keep,
): { library: Library; removed: readonly string[] } {
  const isUsed = (key: string) => used === undefined || used.has(key)
  const inRange = (at: number) => {
    const { height } = placeOf(library, at)
    return height <= last && (height >= first || height === 0)
  }
  const removed: string[] = []
  const answers = new Map(
    [...library.answers.keys()].flatMap((key) => {
      const held = library.answers.get(key) ?? []
      // The last answer before the first height still holds at that height.
      const start = Math.max(
        0,
        held.findLastIndex(({ since }) => placeOf(library, since).height < first),
      )
      const kept = held.filter(({ since }, index) => index >= start && placeOf(library, since).height <= last)
      if (isUsed(key) && kept.length > 0) return [[key, kept] as const]
      removed.push(key)
      return []
    }),
  )
  const streams = new Map(
    [...library.streams].flatMap(([key, events]) => {
      if (isUsed(key)) return [[key, events.filter(({ at }) => inRange(at))] as const]
      removed.push(key)
      return []
    }),
  )
  const digests = new Set([...answers.keys(), ...streams.keys()].map(digestOf))
  return {
    removed: removed.toSorted(),
    library: {
      ...library,
      answers,
      streams,
      heads: library.heads.filter(({ height }) => height >= first && height <= last),
      writes: library.writes.filter(({ key, from }) => answers.has(key) && inRange(from)),
      asks: library.asks.filter(({ at, digest }) => digests.has(digest) && inRange(at)),
    },
  }
}
