/** What a recording knows, by key, on the one time axis of both interfaces (`mocks.md` §4.1). */
import type { Answer } from '../../node/answer.ts'

/** An answer that was seen: asked at `from`, complete at `at`, in ms since the recording began. */
export type Seen = { readonly from: number; readonly at: number; readonly answer: Answer }

/** An answer and when it came to be true: at the last block or write before it was first seen. */
export type Held = { readonly since: number; readonly answer: Answer }

/** A write, and when its answer was there. */
export type Write = { readonly key: string; readonly from: number; readonly ready: number; readonly answer: Answer }

export type StreamEvent = { readonly at: number; readonly text: string }

export type Library = {
  readonly startsAt: number
  readonly answers: ReadonlyMap<string, readonly Held[]>
  /** In the order in which they were sent. */
  readonly writes: readonly Write[]
  /** Of subscriptions and of filters, once for each canonical key. */
  readonly streams: ReadonlyMap<string, readonly StreamEvent[]>
}

/** Answers that are there once a block has them: until then a client waits. */
const monotone = /^(?:eth eth_getTransactionReceipt|eth eth_getTransactionByHash|comet tx) /

/**
 * Returns what was true from when on; `bounds` are the times of blocks and writes, rising. The first
 * answer holds from the beginning, unless it can only come with a block.
 */
export function heldOf(key: string, seen: readonly Seen[], bounds: readonly number[]): readonly Held[] {
  const held: Held[] = []
  let last: Seen | undefined
  for (const one of seen.toSorted((a, b) => a.at - b.at)) {
    const isSame = last !== undefined && sameAnswer(last.answer, one.answer)
    if (!isSame) held.push({ since: sinceOf(key, { last, one, bounds }), answer: one.answer })
    last = one
  }
  return held
}

type Turn = { readonly last: Seen | undefined; readonly one: Seen; readonly bounds: readonly number[] }

function sinceOf(key: string, { last, one, bounds }: Turn): number {
  const isThere = one.answer.ok === true && one.answer.text !== 'null'
  if (last === undefined && !(monotone.test(key) && isThere)) return -Infinity
  return boundBefore(bounds, one.at, last?.at ?? -Infinity)
}

/** Returns the last bound after `after` and not after `at`; `at` where there is none. */
export function boundBefore(bounds: readonly number[], at: number, after: number): number {
  const bound = bounds.findLast((one) => one <= at)
  return bound === undefined || bound <= after ? at : bound
}

function sameAnswer(a: Answer, b: Answer): boolean {
  if (a.ok === true && b.ok === true) return a.text === b.text
  if (a.ok !== false || b.ok !== false) return a.ok === b.ok
  return a.error.code === b.error.code && a.error.message === b.error.message && a.error.data === b.error.data
}

/** Returns the greatest height that a text tells of, 0 when it tells of none. */
export function heightIn(text: string): number {
  let most = 0
  for (const [, decimal, hex] of text.matchAll(heights)) {
    const height = decimal === undefined ? Number(hex) : Number(decimal)
    if (Number.isSafeInteger(height) && height > most) most = height
  }
  return most
}

const heights = /"(?:latest_block_height|last_height|height|blockNumber|number)":"(?:(\d+)|(0x[0-9a-f]+))"/g
