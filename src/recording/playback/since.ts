/**
 * Finds the time since which each recorded answer is valid. State changes with blocks. A change
 * belongs to the block with the transaction that caused it, or else to the last block before the
 * change was seen (`mocks.md` §4.1).
 */
import { callHas, isAboutHead } from './callTraits.ts'
import type { Causes } from './causes.ts'
import { heightAt, madeAt, momentBetween, trueBy, tenths } from './headTimes.ts'
import { countUpTo, headIn, type Head, type Held, type Run } from './library.ts'
import { plainAnswer } from './serviceTxs.ts'
import { accountsIn } from './subjects.ts'

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
export function heldOf(key: string, seen: readonly Run[], changes: Changes): readonly Held[] {
  const accounts = accountsIn(key)
  const held: Held[] = []
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
