/** Counts the contents of a recording. */
import { keyParts } from '../playback/callKey.ts'
import type { Library } from '../playback/library.ts'

export type Summary = {
  readonly heights: readonly [number, number]
  /** Time in ms from the first exchange to the last head or completed write. */
  readonly lastsMs: number
  readonly methods: readonly {
    readonly side: string
    readonly method: string
    readonly keys: number
    readonly answers: number
    readonly seen: number
  }[]
  /** The requests of all methods, each call of a batch as one. */
  readonly requests: number
  readonly streams: readonly { readonly key: string; readonly events: number }[]
  readonly writes: number
}

/** Returns the summary of a recording, with methods sorted by name. */
export function recordingSummary({ heads, answers, streams, writes, startsAt }: Library): Summary {
  const methods = new Map<
    string,
    {
      side: string
      method: string
      keys: number
      answers: number
      seen: number
    }
  >()
  for (const key of answers.keys()) {
    const { side, method } = keyParts(key)
    const name = `${side} ${method}`
    const one = methods.get(name) ?? { side, method, keys: 0, answers: 0, seen: 0 }
    methods.set(name, one)
    const held = answers.get(key) ?? []
    one.keys += 1
    one.answers += held.length
    one.seen += held.reduce((sum, { count }) => sum + count, 0)
  }
  const ends = [startsAt, ...heads.map(({ at }) => at), ...writes.map(({ ready }) => ready)]
  return {
    requests: [...methods.values()].reduce((sum, { seen }) => sum + seen, 0),
    heights: [heads[0]?.height ?? 0, heads.at(-1)?.height ?? 0],
    lastsMs: Math.round(ends.reduce((most, at) => Math.max(most, at), 0) - startsAt),
    methods: [...methods].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one),
    streams: [...streams]
      .map(([key, events]) => ({ key, events: events.length }))
      .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    writes: writes.length,
  }
}
