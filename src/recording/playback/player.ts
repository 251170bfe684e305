/**
 * Where a playback stands. The cursor is a moment of the recording; it moves with time, but never
 * past a write that the clients have not made yet, so that a slow client finds the chain as it was.
 */
import type { Answer } from '../../node/answer.ts'
import { countUpTo, heightIn, type Held, type Library, type StreamEvent, type Write } from './library.ts'
import { missAnswer } from './miss.ts'

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
  const recorded = new Map<string, Write>(library.writes.toReversed().map((one) => [one.key, one]))
  const made = new Map<string, Write>()
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
    const done = made.get(key) ?? (found === undefined ? recorded.get(key) : undefined)
    return done !== undefined && cursor >= done.ready ? done.answer : undefined
  }

  function ask(key: string, nowMs: number): Answer | undefined {
    clock ??= nowMs
    advance(nowMs)
    if (recorded.has(key)) return write(key, nowMs)
    const held = answers.get(key)
    if (held === undefined) return miss(key)
    const answer = heldAt(held, cursor)
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
      return events === undefined ? undefined : between(events, after, upTo)
    },
    given: (text) => { head = Math.max(head, heightIn(text)) },
  }
}

function heldAt(held: readonly Held[], cursor: number): Answer | undefined {
  return held[countUpTo(held, cursor, ({ since }) => since) - 1]?.answer
}

function between(events: readonly StreamEvent[], after: number, upTo: number): readonly string[] {
  const [from, to] = [after, upTo].map((limit) => countUpTo(events, limit, ({ at }) => at))
  return events.slice(from, to).map(({ text }) => text)
}

function heightOf(text: string): number {
  return Number(JSON.parse(text))
}
