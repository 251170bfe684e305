/** What a recording knows, by key, on the one time axis of both interfaces (`mocks.md` §4.1). */
import type { Answer } from '../../node/answer.ts'

/**
 * The same answer, seen one or more times: first at `at`, last at `lastAt`, in ms of the
 * recording.
 */
export type Run = { readonly at: number; readonly answer: Answer; lastAt: number; count: number }

/**
 * An answer and when it came to be true: at the last block or write before it was first seen;
 * `count` is how often it was seen.
 */
export type Held = { readonly since: number; readonly answer: Answer; readonly count: number }

/** A write, and when its answer was there. */
export type Write = {
  readonly key: string
  readonly from: number
  readonly ready: number
  readonly answer: Answer
}

/** A call by which a client showed that it was there, when it was first made. */
export type Ask = { readonly at: number; readonly digest: string }

export type StreamEvent = { readonly at: number; readonly text: string }

export type Head = { readonly height: number; readonly at: number }

/** Answers by key, each list in order of time; they may be read only when they are asked for. */
export type Answers = {
  readonly size: number
  readonly has: (key: string) => boolean
  readonly get: (key: string) => readonly Held[] | undefined
  readonly keys: () => Iterable<string>
}

/** Events by key, each list in order of time. */
export type Streams = {
  readonly size: number
  readonly has: (key: string) => boolean
  readonly get: (key: string) => readonly StreamEvent[] | undefined
  readonly keys: () => Iterable<string>
  readonly [Symbol.iterator]: () => Iterator<readonly [string, readonly StreamEvent[]]>
}

export type Library = {
  readonly startsAt: number
  /** Heads as they became known, rising. */
  readonly heads: readonly Head[]
  readonly answers: Answers
  /** In the order in which they were sent. */
  readonly writes: readonly Write[]
  /** In order of time. */
  readonly asks: readonly Ask[]
  /** Of subscriptions and of filters, once for each canonical key. */
  readonly streams: Streams
}

/** Answers that are there once a block has them: until then a client waits. */
const monotone =
  /^(?:eth eth_getTransactionReceipt|eth eth_getTransactionByHash|comet tx|comet tx_search) /

/** When the chain changed: blocks as they became known, `bounds` with writes too, both rising. */
export type Times = {
  readonly blocks: readonly number[]
  readonly bounds: readonly number[]
  readonly heads: readonly Head[]
  /** When writes were sent, rising. */
  readonly sent: readonly number[]
  /** The times of writes by the accounts that they tell of, each rising. */
  readonly causes: ReadonlyMap<string, readonly number[]>
}

/**
 * Returns what was true from when on; `seen` is in order of time. The first answer holds from the
 * beginning, unless it can only come with a block.
 */
export function heldOf(key: string, seen: readonly Run[], times: Times): readonly Held[] {
  return seen.map((one, index) => {
    const last = seen[index - 1]?.lastAt
    return { since: sinceOf(key, { last, one, times }), answer: one.answer, count: one.count }
  })
}

type Turn = { readonly last: number | undefined; readonly one: Run; readonly times: Times }

function sinceOf(key: string, { last, one, times }: Turn): number {
  const isThere = one.answer.ok === true && one.answer.text !== 'null'
    && !/^\{"txs":(?:\[\]|null)/.test(one.answer.text)
  if (last === undefined && !(monotone.test(key) && isThere)) return -Infinity
  const told = knownSince(key, { last, one, times })
  if (told !== undefined) return told
  const isCaused = last !== undefined && !ofTip.test(key)
  const caused = isCaused ? causeOf(key, { last, one, times }) : undefined
  if (caused !== undefined) {
    if (key.endsWith('"pending"]')) return caused
    return blockAfter(caused, { last, one, times }) ?? one.at
  }
  const write = last !== undefined && isCaused
    ? times.sent[countUpTo(times.sent, one.at, itself) - 1]
    : undefined
  const block = write === undefined || write <= (last ?? 0)
    ? undefined
    : blockAfter(write, { last, one, times })
  return block ?? boundBefore(times.bounds, one.at, last ?? -Infinity)
}

/** An answer that tells of a head was true when that head became known. */
function knownSince(key: string, { last = -Infinity, one, times }: Turn): number | undefined {
  const height = one.answer.ok === true ? headIn(key, one.answer) : 0
  const known = height === 0
    ? undefined
    : times.heads[countUpTo(times.heads, height - 1, (head) => head.height)]?.at
  return known === undefined || known <= last || known > one.at ? undefined : known
}

function blockAfter(write: number, { one, times }: Turn): number | undefined {
  const block = times.blocks[countUpTo(times.blocks, write, itself)]
  return block === undefined || block > one.at ? undefined : block
}

/** The last write in between that tells of an account which the call names. */
function causeOf(key: string, { last = 0, one, times }: Turn): number | undefined {
  let latest: number | undefined
  for (const account of accountsIn(key)) {
    const causes = times.causes.get(account) ?? []
    const cause = causes[countUpTo(causes, one.at, itself) - 1]
    if (cause !== undefined && cause > last && cause > (latest ?? 0)) latest = cause
  }
  return latest
}

/** Returns the accounts that a key may name: its runs of 40 hex digits. */
export function accountsIn(text: string): readonly string[] {
  return text.match(/[0-9a-f]{40}/g) ?? []
}

const itself = (one: number) => one

/** Returns the last bound after `after` and not after `at`; `at` where there is none. */
export function boundBefore(bounds: readonly number[], at: number, after: number): number {
  const bound = bounds[countUpTo(bounds, at, itself) - 1]
  return bound === undefined || bound <= after ? at : bound
}

/** Returns how many of a list, rising by `of`, are not above a limit. */
export function countUpTo<T>(rising: readonly T[], limit: number, of: (one: T) => number): number {
  let [low, high] = [0, rising.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (of(rising[middle] as T) <= limit) low = middle + 1
    else high = middle
  }
  return low
}

/** How many characters of answers are kept that were read or derived. */
export const mostKept = 4_000_000

/** Returns how much answers take of a memory. */
export function weightOf(held: readonly Held[]): number {
  return held.reduce(
    (sum, { answer }) => sum + 100 + (answer.ok === true ? answer.text.length : 0), 0
  )
}

/** Returns whether two answers are the same, byte for byte. */
export function sameAnswer(a: Answer, b: Answer): boolean {
  if (a.ok === true && b.ok === true) return a.text === b.text
  if (a.ok !== false || b.ok !== false) return a.ok === b.ok
  return a.error.code === b.error.code && a.error.message === b.error.message
    && a.error.data === b.error.data
}

/** Calls that mean the head: by the method, and by what stands in the place of a height. */
export const ofTip = /^(?:eth eth_blockNumber \[|eth eth_getBlockByNumber \["latest",|comet (?:status|block|header|commit|block_results|validators|abci_info) \{\}$)/
const tellsHead = /^(?:eth eth_getTransaction|comet (?:tx|tx_search|block|header|commit|block_results|block_search|broadcast_tx_commit|blockchain) )/

/** Returns the height that an answer makes known as a head, 0 when it makes none known. */
export function headIn(key: string, { text }: { readonly text: string }): number {
  if (key.startsWith('eth eth_blockNumber ')) return heightIn(`"number":${text}`)
  return ofTip.test(key) || tellsHead.test(key) ? heightIn(text) : 0
}

/** A query of state says at which height it was answered: that alone is no other answer. */
const queries = /^comet abci_query (?!.*"(?:height|prove)":)/

/** Returns whether two answers to a call say the same. */
export function saysSame(key: string, a: Answer, b: Answer): boolean {
  if (a.ok !== true || b.ok !== true || !queries.test(key)) return sameAnswer(a, b)
  return a.text === b.text || withHeight(a.text, 0) === withHeight(b.text, 0)
}

/** Returns an answer as it is at a height, where a call is answered at any. */
export function atHead(key: string, answer: Answer, head: number): Answer {
  if (answer.ok !== true || !queries.test(key) || heightIn(answer.text) >= head) return answer
  return { ok: true, text: withHeight(answer.text, head) }
}

function withHeight(text: string, height: number): string {
  return text.replace(/"height":"\d+"/, `"height":"${height}"`)
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

const heights =
  /"(?:latest_block_height|last_height|height|blockNumber|number)":"(?:(\d+)|(0x[0-9a-f]+))"/g
