/**
 * Where a playback stands. The cursor is a moment of the recording; it moves with time, but never
 * past a write that the clients have not made yet, so that a slow client finds the chain as it was.
 */
import { nearest } from '../../data/nearest.ts'
import type { Answer } from '../../node/answer.ts'
import { heightIn, type Library } from './library.ts'

export type PlayerOptions = {
  /** Of recorded time to real time: 2 plays twice as fast. */
  readonly scale: number
  /** How long, in real ms, the cursor waits for a recorded write that does not come. */
  readonly patienceMs: number
}

export type Player = {
  /** Moves the cursor to where it is at this moment, in real ms. */
  readonly advance: (nowMs: number) => void
  readonly cursor: () => number
  /** Returns the answer to a call, or undefined while it has to wait. */
  readonly ask: (key: string, nowMs: number) => Answer | undefined
  /** Returns what a stream tells after one moment and up to another; undefined for no such stream. */
  readonly told: (key: string, after: number, upTo: number) => readonly string[] | undefined
  /** Notes what a client was given, so that no answer names a height below it. */
  readonly given: (text: string) => void
  readonly misses: () => readonly string[]
}

/** Returns a playback before its first call. */
export function createPlayer(library: Library, { scale, patienceMs }: PlayerOptions): Player {
  const { answers, streams } = library
  const missed: string[] = []
  const open = [...library.writes]
  const made = new Map<string, (typeof open)[number]>()
  let cursor = library.startsAt
  let clock: number | undefined
  let blockedSince: number | undefined
  let head = 0

  function advance(nowMs: number): void {
    if (clock === undefined) return
    const wanted = cursor + Math.max(0, nowMs - clock) * scale
    clock = nowMs
    const [next] = open
    if (next === undefined || wanted < next.from) {
      blockedSince = undefined
      cursor = wanted
      return
    }
    cursor = Math.max(cursor, next.from - 0.01)
    blockedSince ??= nowMs
    if (nowMs - blockedSince < patienceMs) return
    open.shift()
    blockedSince = undefined
  }

  function write(key: string, nowMs: number): Answer | undefined {
    const at = open.findIndex((one) => one.key === key)
    const found = open[at]
    if (found !== undefined && at === 0) {
      open.shift()
      blockedSince = undefined
      made.set(key, found)
      cursor = Math.max(cursor, found.from)
      clock = nowMs
    }
    const done = made.get(key) ?? (found === undefined ? library.writes.find((one) => one.key === key) : undefined)
    return done !== undefined && cursor >= done.ready ? done.answer : undefined
  }

  function ask(key: string, nowMs: number): Answer | undefined {
    clock ??= nowMs
    advance(nowMs)
    if (library.writes.some((one) => one.key === key)) return write(key, nowMs)
    const held = answers.get(key)
    if (held === undefined) return miss(key)
    const answer = held.findLast(({ since }) => since <= cursor)?.answer
    if (answer?.ok !== true || !key.startsWith('eth eth_blockNumber ')) return answer
    return heightOf(answer.text) < head ? { ok: true, text: `"0x${head.toString(16)}"` } : answer
  }

  function miss(key: string): Answer {
    if (!missed.includes(key)) missed.push(key)
    return missAnswer(key, [...answers.keys(), ...streams.keys()])
  }

  return {
    advance, ask, cursor: () => cursor, misses: () => missed,
    told: (key, after, upTo) => {

      const events = streams.get(key)
      if (events === undefined) miss(key)
      return events?.filter(({ at }) => at > after && at <= upTo).map(({ text }) => text)
    },
    given: (text) => { head = Math.max(head, heightIn(text)) },
  }
}

function heightOf(text: string): number {
  return Number(JSON.parse(text))
}

/** Returns the error for a call that was not recorded (`mocks.md` §4.8): clients do not retry it. */
export function missAnswer(key: string, known: readonly string[]): Answer {
  const [side = '', method = ''] = key.split(' ')
  const alike = known.filter((one) => one.startsWith(`${side} ${method} `))
  const near = nearestCall(key, alike)
  const why = near === undefined
    ? `${method} was never called while this was recorded` : 'the same method, with other parameters'
  const names = [...new Set(known.map((one) => one.split(' ')[1] ?? ''))]
  const data = {
    key, nearest: near ?? nearest(method, names) ?? null, why,
    fixes: ['record the session again with this call in it', 'ask as it was recorded'],
  }
  return {
    ok: false, error: { code: -32070, message: `chainstage: no recorded answer for ${method}`, data: JSON.stringify(data) },
  }
}

/** The one that has most of its beginning and end in common. */
function nearestCall(key: string, known: readonly string[]): string | undefined {
  const score = (other: string) => {
    let start = 0
    while (start < key.length && key[start] === other[start]) start += 1
    let end = 1
    while (end <= key.length - start && key.at(-end) === other.at(-end)) end += 1
    return start + end
  }
  return known.toSorted((a, b) => score(b) - score(a))[0]
}
