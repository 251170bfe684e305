/** The contents of a recording by key, on one time axis for both interfaces (`mocks.md` §4.1). */
import type { Answer } from '../../node/answer.ts'
import { isCallTo } from './callKey.ts'
import { isAboutHead, isOfAnyHeight, tellsHeight } from './callTraits.ts'
import { isOfService, shownTxs } from './serviceTxs.ts'

/** When a call was made (`from`) and answered (`at`), in ms of the recording. */
export type PollSpan = { readonly from: number; readonly at: number }

/** One answer, seen one or more times in a row; `height` comes from `heightTold`. */
export type Run = {
  readonly answer: Answer
  readonly first: PollSpan & { readonly height: number }
  last: PollSpan & { readonly height: number }
  count: number
}

/**
 * An answer and the moment since which it is valid: the last block or write before it was first
 * seen. `count` is the number of times it was seen.
 */
export type HeldAnswer = { readonly since: number; readonly answer: Answer; readonly count: number }

/** A write, sent at `from`, and the time `ready` at which its answer was available. */
export type Write = {
  readonly key: string
  readonly from: number
  readonly ready: number
  readonly answer: Answer
}

/** A call that shows a client's progress, and its time. */
export type Ask = { readonly at: number; readonly digest: string }

export type StreamEvent = { readonly at: number; readonly text: string }

export type Head = { readonly height: number; readonly at: number }

/** Answers by key, each list ordered by time. Answers may be loaded on demand. */
export type Answers = {
  readonly size: number
  readonly has: (key: string) => boolean
  readonly get: (key: string) => readonly HeldAnswer[] | undefined
  readonly keys: () => Iterable<string>
  /** Returns the key of the recorded call that a call is equal to by the rules of the recording. */
  readonly recordedKey?: (key: string) => string
}

/** Events by key, each list ordered by time. */
export type Streams = {
  readonly size: number
  readonly has: (key: string) => boolean
  readonly get: (key: string) => readonly StreamEvent[] | undefined
  readonly keys: () => Iterable<string>
  readonly [Symbol.iterator]: () => Iterator<readonly [string, readonly StreamEvent[]]>
}

export type Library = {
  readonly startsAt: number
  /** Heads in the order in which they became known, ascending. */
  readonly heads: readonly Head[]
  readonly answers: Answers
  /** In the order in which they were sent. */
  readonly writes: readonly Write[]
  /** Ordered by time. */
  readonly asks: readonly Ask[]
  /** Events of subscriptions and filters, one stream per key. */
  readonly streams: Streams
}

/** Receives the key of a call from whose answer another one is derived; it need not be a recorded call. */
export type NoteSource = (key: string) => void

/** Returns the number of items in a list, ascending by `of`, that are at most `limit`. */
export function countUpTo<T>(rising: readonly T[], limit: number, of: (one: T) => number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (of(rising[middle] as T) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** Maximum number of characters of loaded or derived answers in the cache. */
export const mostKept = 4_000_000

/** Returns the approximate size of answers in characters, for the cache. */
export function weightOf(held: readonly HeldAnswer[]): number {
  return held.reduce((sum, { answer }) => sum + 100 + (answer.ok === true ? answer.text.length : 0), 0)
}

/** Returns whether two answers are identical. */
export function sameAnswer(a: Answer, b: Answer): boolean {
  if (a.ok === true && b.ok === true) return a.text === b.text
  if (a.ok !== false || b.ok !== false) return a.ok === b.ok
  return a.error.code === b.error.code && a.error.message === b.error.message && a.error.data === b.error.data
}

/** Returns the height that an answer reveals as a head, or 0. */
export function headIn(key: string, { text }: { readonly text: string }): number {
  if (isCallTo('eth', 'eth_blockNumber', key)) return heightIn(`"number":${text}`)
  if (!isAboutHead(key) && !tellsHeight(key)) return 0
  // Messages of transactions may contain heights of other chains.
  if (isOfService(key)) return Math.max(0, ...shownTxs(key, text).map(({ height }) => height))
  return heightIn(text)
}

/**
 * Returns the height of the state that a query was answered from, or 0 if the answer names none.
 */
export function heightTold(key: string, answer: Answer): number {
  return answer.ok === true && isOfAnyHeight(key) ? heightIn(answer.text) : 0
}

/**
 * Returns whether two answers to a call are equal, ignoring the height at which the state was read.
 */
export function saysSame(key: string, a: Answer, b: Answer): boolean {
  if (a.ok !== true || b.ok !== true || !isOfAnyHeight(key)) return sameAnswer(a, b)
  return a.text === b.text || withHeight(a.text, 0) === withHeight(b.text, 0)
}

/** Returns an answer with its state height replaced by `head`, where the call has one. */
export function atHead(key: string, answer: Answer, head: number): Answer {
  if (answer.ok !== true || head === 0 || heightTold(key, answer) === 0) return answer
  return { ok: true, text: withHeight(answer.text, head) }
}

function withHeight(text: string, height: number): string {
  return text.replace(/"height":"\d+"/, `"height":"${height}"`)
}

/** Returns the greatest height in a text, or 0. */
export function heightIn(text: string): number {
  let most = 0
  for (const [, decimal, hex] of text.matchAll(heights)) {
    const height = decimal === undefined ? Number(hex) : Number(decimal)
    if (Number.isSafeInteger(height) && height > most) most = height
  }
  return most
}

const heights = /"(?:latest_block_height|last_height|height|blockNumber|number)":"(?:(\d+)|(0x[0-9a-f]+))"/g
