/** Merges two recordings of the same chain. */
import { SimError } from '../../errors.ts'
import { heldAt } from '../playback/heads.ts'
import { sameAnswer, type Head, type HeldAnswer, type Library, type StreamEvent } from '../playback/library.ts'
import { tenths } from '../playback/headTimes.ts'

/** The action where both recordings answer a call differently at the same height. */
export type OnConflict = 'refuse' | 'second'

/** Merges both recordings on the time axis of the first. Throws `MergeConflict`. */
export function mergeLibraries(first: Library, second: Library, onConflict: OnConflict): Library {
  const isBefore = (second.heads.at(-1)?.height ?? 0) < (first.heads[0]?.height ?? 0)
  if (isBefore && onConflict === 'refuse') return mergeLibraries(second, first, onConflict)
  const moved = shifted(second, shiftOf(first, second))
  const writes = new Map([...first.writes, ...moved.writes].map((one) => [`${one.key} ${one.from}`, one]))
  return {
    startsAt: Math.min(first.startsAt, moved.startsAt),
    heads: rising([...first.heads, ...moved.heads]),
    answers: mergedAnswers(first, moved, onConflict),
    writes: [...writes.values()].toSorted((a, b) => a.from - b.from),
    asks: mergedAsks(first, moved),
    streams: mergedStreams(first, moved),
  }
}

function endOf({ startsAt, heads, writes }: Library): number {
  return Math.max(startsAt, heads.at(-1)?.at ?? startsAt, ...writes.map(({ ready }) => ready))
}

/**
 * Returns the shift in ms that aligns a height known to both. Without such a height, the second
 * recording is placed 1 s after the end of the first.
 */
function shiftOf(first: Library, second: Library): number {
  const known = new Map(first.heads.map(({ height, at }) => [height, at]))
  const common = second.heads.find(({ height }) => known.has(height))
  if (common !== undefined) return (known.get(common.height) ?? 0) - common.at
  return endOf(first) + 1000 - second.startsAt
}

function shifted({ startsAt, heads, answers, writes, asks, streams }: Library, by: number): Library {
  const move = (at: number) => (at === -Infinity ? at : tenths(at + by))
  return {
    startsAt: move(startsAt),
    heads: heads.map(({ height, at }) => ({ height, at: move(at) })),
    answers: new Map(
      [...answers.keys()].map((key) => [
        key,
        (answers.get(key) ?? []).map((one) => ({ ...one, since: move(one.since) })),
      ]),
    ),
    writes: writes.map((one) => ({ ...one, from: move(one.from), ready: move(one.ready) })),
    asks: asks.map((one) => ({ ...one, at: move(one.at) })),
    streams: new Map([...streams].map(([key, events]) => [key, events.map((one) => ({ ...one, at: move(one.at) }))])),
  }
}

/** Merges the calls that playback waits for; calls known to the first keep its times. */
function mergedAsks(first: Library, second: Library): Library['asks'] {
  const known = new Set(first.asks.map(({ digest }) => digest))
  const added = second.asks.filter(({ digest }) => !known.has(digest))
  return [...first.asks, ...added].toSorted((a, b) => a.at - b.at)
}

function rising(heads: readonly Head[]): readonly Head[] {
  const byHeight = new Map(heads.toReversed().map((one) => [one.height, one]))
  let last = -Infinity
  return [...byHeight.values()]
    .toSorted((a, b) => a.height - b.height)
    .map(({ height, at }) => {
      last = Math.max(last, at)
      return { height, at: last }
    })
}

function mergedAnswers(
  first: Library,
  second: Library,
  onConflict: OnConflict,
): ReadonlyMap<string, readonly HeldAnswer[]> {
  const merged = new Map([...first.answers.keys()].map((key) => [key, first.answers.get(key) ?? []]))
  for (const key of second.answers.keys()) {
    const [old, added] = [merged.get(key), second.answers.get(key) ?? []]
    merged.set(key, old === undefined || onConflict === 'second' ? added : joined(key, { old, added, first, second }))
  }
  return merged
}

type Both = {
  readonly old: readonly HeldAnswer[]
  readonly added: readonly HeldAnswer[]
  readonly first: Library
  readonly second: Library
}

function joined(key: string, { old, added, first, second }: Both): readonly HeldAnswer[] {
  const list = [...old]
  const end = endOf(first)
  for (const one of added) {
    const since = one.since === -Infinity ? second.startsAt : one.since
    const known = heldAt(list, since)
    if (known !== undefined && sameAnswer(known, one.answer)) continue
    const isPlaced = list.some((other) => other.since === since && sameAnswer(other.answer, one.answer))
    if (isPlaced) continue
    // Both held from the beginning of the same time, or the first has a later answer.
    const isBoth = one.since === -Infinity && since <= first.startsAt && known !== undefined
    const hasOwn = list.some((other) => other.since >= since)
    if (isBoth || (hasOwn && since <= end)) throw new MergeConflict(key)
    list.push({ ...one, since })
  }
  return list
}

function mergedStreams(first: Library, second: Library): ReadonlyMap<string, readonly StreamEvent[]> {
  const merged = new Map(first.streams)
  for (const [key, events] of second.streams) {
    const old = merged.get(key) ?? []
    const known = new Set(old.map(({ text }) => text))
    merged.set(
      key,
      [...old, ...events.filter(({ text }) => !known.has(text))].toSorted((a, b) => a.at - b.at),
    )
  }
  return merged
}

/** Two recordings answer the same call differently at the same height. */
export class MergeConflict extends SimError {
  constructor(key: string) {
    super(
      'MERGE_CONFLICT',
      `the recordings have different responses to this call at the same height: ${key.slice(0, 300)}`,
      {
        hint: 'They are of different chains, or one was changed. Use --prefer second to keep the second response.',
      },
    )
  }
}
