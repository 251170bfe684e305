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

/** When the chain changed: blocks as they became known, `bounds` with writes too, both rising. */
export type Times = {
  readonly blocks: readonly number[]
  readonly bounds: readonly number[]
  readonly causes: readonly Cause[]
}

/** A write that was taken, and all text that tells of it: what it sent and its receipt. */
export type Cause = { readonly from: number; readonly text: string }

/**
 * Returns what was true from when on; `bounds` are the times of blocks and writes, rising. The first
 * answer holds from the beginning, unless it can only come with a block.
 */
export function heldOf(key: string, seen: readonly Seen[], times: Times): readonly Held[] {
  const held: Held[] = []
  let last: Seen | undefined
  for (const one of seen.toSorted((a, b) => a.at - b.at)) {
    const isSame = last !== undefined && sameAnswer(last.answer, one.answer)
    if (!isSame) held.push({ since: sinceOf(key, { last, one, times }), answer: one.answer })
    last = one
  }
  return held
}

type Turn = { readonly last: Seen | undefined; readonly one: Seen; readonly times: Times }

function sinceOf(key: string, { last, one, times }: Turn): number {
  const isThere = one.answer.ok === true && one.answer.text !== 'null'
  if (last === undefined && !(monotone.test(key) && isThere)) return -Infinity
  const after = last?.at ?? -Infinity
  const caused = last === undefined || key.includes('eth_blockNumber') ? undefined : causeOf(key, { last, one, times })
  if (caused === undefined) return boundBefore(times.bounds, one.at, after)
  if (key.endsWith('"pending"]')) return caused
  const block = times.blocks.find((at) => at > caused)
  return block === undefined || block > one.at ? one.at : block
}

/** The last write in between that tells of an account which the call names. */
function causeOf(key: string, { last, one, times }: Turn): number | undefined {
  const accounts = key.match(/[0-9a-f]{40}/g) ?? []
  return times.causes.findLast(({ from, text }) => from > (last?.at ?? 0) && from <= one.at
    && accounts.some((account) => text.includes(account)))?.from
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
