/** Builds a recording from the traffic that was seen. */
import { type NotedAsk, waitedFor } from './asks.ts'
import { type Causes, causesOf } from './causes.ts'
import { type HeightSeen, headTimes, heightAt, madeAt, momentBetween, tenths, trueBy } from './headTimes.ts'
import {
  type Head,
  type HeldAnswer,
  type Library,
  type Run,
  type StreamEvent,
  type Write,
  countUpTo,
  headIn,
  heightIn,
} from './library.ts'
import { createNonces } from './nonces.ts'
import { callHas, isAboutHead } from './callTraits.ts'
import { plainAnswer } from './serviceTxs.ts'
import { accountsIn } from './subjects.ts'

/** An event that a subscription or filter, `source`, received. */
export type ToldEvent = {
  readonly source: string
  readonly at: number
  readonly text: string
  /**
   * Only for pushed events: the height of their block, or 0, and the time of the connection's last
   * response.
   */
  readonly pushed?: { readonly height: number; readonly after: number }
}

/** All traffic seen, ordered by time. */
export type Sightings = {
  readonly startsAt: number
  readonly seen: ReadonlyMap<string, readonly Run[]>
  readonly writes: readonly Write[]
  readonly asks: readonly NotedAsk[]
  readonly streams: ReadonlyMap<string, readonly ToldEvent[]>
  /** Heights as they became known, ascending, and heights that answers named as the head. */
  readonly heads: { readonly known: readonly HeightSeen[]; readonly tips: readonly HeightSeen[] }
}

/** Returns the recording of the traffic, in time linear in its size. */
export function libraryOf({ startsAt, seen, writes, asks, streams, heads: { known, tips } }: Sightings): Library {
  const causes = causesOf(seen, writes, streams.values())
  const sentBefore = new Map(
    causes.taken.flatMap(({ height, from }) => (height === undefined ? [] : [[height, from] as const])),
  )
  const heads = headTimes(known, tips, sentBefore)
  const changes = { heads, causes }
  const withSteps = createNonces(causes.taken, heads)
  const answers = [...seen].map(([key, list]) => [key, withSteps(key, heldOf(key, list, changes))] as const)
  return {
    startsAt,
    heads,
    answers: new Map(answers),
    writes: writes.toSorted((a, b) => a.from - b.from),
    asks: waitedFor(asks),
    streams: new Map([...streams].map(([key, events]) => [key, onceEach(events, key, heads)])),
  }
}

/**
 * Returns each event once, at the time of its block. Subscriptions with the same key share a
 * stream.
 */
function onceEach(events: readonly ToldEvent[], key: string, known: readonly Head[]): readonly StreamEvent[] {
  const isPolled = key.includes('Filter ')
  const owner = new Map<string, string>()
  const behind = isPolled ? behindOf(events) : []
  const once: StreamEvent[] = []
  for (const [index, event] of events.entries()) {
    const { source, at, text } = event
    const first = owner.get(text) ?? source
    owner.set(text, first)
    if (first !== source) continue
    const fromEnd = behind[index] ?? 0
    const polled = () => blockTime(known, { at, fromEnd, height: heightIn(text) })
    once.push({ at: isPolled ? polled() : pushTime(known, event), text })
  }
  return once.toSorted((a, b) => a.at - b.at)
}

/**
 * Returns the time of a pushed event. A late event is moved back to its block, so that no call is
 * answered from the block first. It stays after the connection's previous response.
 */
function pushTime(
  known: readonly Head[],
  { at, pushed: { height, after } = { height: 0, after: 0 } }: ToldEvent,
): number {
  const made = height === 0 ? at : Math.min(at, madeAt(known, height) ?? at)
  return made > after ? made : tenths(momentBetween(after, at))
}

/** Returns for each event the number of later events in the same poll. */
function behindOf(events: readonly ToldEvent[]): readonly number[] {
  const polls = new Map<string, number>()
  return events
    .toReversed()
    .map(({ source, at }) => {
      const poll = `${at} ${source}`
      const count = polls.get(poll) ?? 0
      polls.set(poll, count + 1)
      return count
    })
    .toReversed()
}

type Polled = { readonly at: number; readonly fromEnd: number; readonly height: number }

/**
 * Returns the time of a polled event. Block hashes name no height, so the last hash of a poll
 * belongs to the last block before the poll.
 */
function blockTime(known: readonly Head[], { at, fromEnd, height }: Polled): number {
  const before = countUpTo(known, at, (one) => one.at)
  const after = countUpTo(known, height - 1, (one) => one.height)
  const block = height === 0 ? known[before - 1 - fromEnd] : after < before ? known[after] : undefined
  return block?.at ?? at
}

/** The times of blocks, and the transactions that changed the state in them. */
export type Changes = { readonly heads: readonly Head[]; readonly causes: Causes }

/** Returns whether a call is about pending transactions, so that writes change its answer too. */
function isOfMempool(key: string): boolean {
  return callHas(key, 'ofMempool') || key.endsWith('"pending"]')
}

/** How long after an answer its block may become known, in ms. */
const soonMs = 100

/**
 * Returns answers with the time since which each is valid; `seen` is ordered by time. The first
 * answer is valid from the beginning, unless it can only come with a block.
 */
function heldOf(key: string, seen: readonly Run[], changes: Changes): readonly HeldAnswer[] {
  const accounts = accountsIn(key)
  const held: HeldAnswer[] = []
  for (const [index, one] of seen.entries()) {
    const last = seen[index - 1]
    const before = held.at(-1)?.since ?? -Infinity
    const found =
      last === undefined ? firstSince(key, one, changes) : changeSince(key, accounts, { last, one, changes })
    // Two answers cannot share a moment: the later one starts shortly before it was first seen.
    const since =
      found > before || last === undefined ? found : tenths(momentBetween(before, Math.max(before, trueBy(one.first))))
    held.push({ since: Math.max(since, before), answer: one.answer, count: one.count })
  }
  return held
}

function firstSince(key: string, one: Run, { heads }: Changes): number {
  if (!callHas(key, 'comesWithBlock') || one.answer.ok !== true) return -Infinity
  const text = plainAnswer(key, one.answer.text)
  const isThere = text !== 'null' && !/^\{"txs":(?:\[\]|null)/.test(text)
  if (!isThere) return -Infinity
  return madeWith(key, one, heads) ?? tenths(trueBy(one.first))
}

type Change = { readonly last: Run; readonly one: Run; readonly changes: Changes }

function changeSince(key: string, accounts: readonly string[], change: Change): number {
  const {
    last,
    one,
    changes: { heads, causes },
  } = change
  const told = madeWith(key, one, heads)
  if (told !== undefined) return told
  if (isOfMempool(key)) {
    const write = lastWrite(accounts, causes, { after: last.last.from, upTo: one.first.at })
    if (write !== undefined) return write
  }
  const low = last.last.height || heightAt(heads, last.last.from)
  const high = one.first.height || heightAt(heads, one.first.at)
  const cause = isAboutHead(key)
    ? undefined
    : (lastHeight(accounts, causes, { low, high }) ?? blockOfWrite(accounts, change))
  // The block with the change may have been made just before, when nobody knew of it yet.
  const next = lastHeight(accounts, causes, { low: high, high: high + 1 })
  const isEarly = next !== undefined && (madeAt(heads, next) ?? Infinity) - one.first.at < soonMs
  const height = cause ?? (high > low && !isEarly ? high : undefined)
  const made = height === undefined ? undefined : madeAt(heads, height)
  return made ?? tenths(momentBetween(last.last.from, Math.max(last.last.from, trueBy(one.first))))
}

/** Returns when the head in an answer was made, since which the answer is valid. */
function madeWith(key: string, one: Run, heads: readonly Head[]): number | undefined {
  const height = one.answer.ok === true ? headIn(key, one.answer) : 0
  const made = height === 0 ? undefined : madeAt(heads, height)
  return made === undefined || made > one.first.at ? undefined : made
}

/** Returns the last block in a range with a transaction that names one of the accounts. */
function lastHeight(
  accounts: readonly string[],
  { heights }: Causes,
  { low, high }: { readonly low: number; readonly high: number },
): number | undefined {
  const found = accounts.flatMap((account) => {
    const list = heights.get(account) ?? []
    return list[countUpTo(list, high, (height) => height) - 1] ?? []
  })
  const last = Math.max(-1, ...found)
  return last > low ? last : undefined
}

type Span = { readonly after: number; readonly upTo: number }

function lastWrite(accounts: readonly string[], { pending }: Causes, { after, upTo }: Span): number | undefined {
  const found = accounts
    .flatMap((account) => pending.get(account) ?? [])
    .filter(({ from }) => from > after && from <= upTo)
  return found.length === 0 ? undefined : Math.max(...found.map(({ from }) => from))
}

/**
 * Returns the first block after a write whose block was not recorded, if made before the answer.
 */
function blockOfWrite(
  accounts: readonly string[],
  { last, one, changes: { heads, causes } }: Change,
): number | undefined {
  const unknown = accounts
    .flatMap((account) => causes.pending.get(account) ?? [])
    .filter(({ height }) => height === undefined)
    .filter(({ from }) => from > last.last.from && from <= one.first.at)
  const sent = Math.max(-1, ...unknown.map(({ from }) => from))
  const next = sent < 0 ? undefined : heads[countUpTo(heads, sent, ({ at }) => at)]
  return next === undefined || next.at > one.first.at ? undefined : next.height
}
