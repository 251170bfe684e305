/** What clients did: counts by method for expectations, and the last calls for people. */
import { append, emptySegments, items, withoutFirst, type Segments } from '../data/segments.ts'
import type { CallRecord } from '../rpc/callRecord.ts'

export type Journal = {
  /** How often each method was called, up to the call `counted`; `countsOf` has all. */
  readonly counts: ReadonlyMap<string, number>
  /** How many calls `counts` has; all of them where it is absent, as in older saved states. */
  readonly counted?: number
  /** Every call; the first `dropped` of them are no longer held. */
  readonly calls: Segments<CallRecord>
  readonly dropped: number
}

const recentMost = 256

/** Clients may ask for methods that do not exist: names beyond these are counted together. */
const namesMost = 1000
export const otherMethods = '(others)'

export const emptyJournal: Journal = { counts: new Map(), calls: emptySegments(), dropped: 0 }

/**
 * Returns the journal with more calls. The oldest leave a block at a time, and are counted by
 * method then, so that noting stays cheap.
 */
export function noted(journal: Journal, records: readonly CallRecord[]): Journal {
  if (records.length === 0) return journal
  const { counts, counted = journal.calls.length, dropped } = journal
  const calls = records.reduce((before, record) => append(before, record), journal.calls)
  if (calls.length - dropped <= 2 * recentMost) return { counts, counted, calls, dropped }
  const kept = calls.length - recentMost
  return {
    counts: countsOf({ counts, counted, calls, dropped }),
    counted: calls.length,
    calls: withoutFirst(calls, kept),
    dropped: kept,
  }
}

/** Returns how often each method was called, in the order of their first calls. */
export function countsOf({ counts, calls, counted = calls.length }: Journal): ReadonlyMap<string, number> {
  if (counted === calls.length) return counts
  return withCounts(
    counts,
    [...items(calls, counted)].map(({ method }) => [method, 1] as const),
  )
}

/** Returns counts of methods with more calls; at most 1,000 methods are told apart. */
export function withCounts(
  counts: ReadonlyMap<string, number>,
  more: readonly (readonly [method: string, count: number])[],
): ReadonlyMap<string, number> {
  const next = new Map(counts)
  for (const [method, count] of more) {
    const name = next.has(method) || next.size < namesMost ? method : otherMethods
    next.set(name, (next.get(name) ?? 0) + count)
  }
  return next
}

/** Returns the calls that are held, oldest first. */
export function recentCalls({ calls, dropped }: Journal): readonly CallRecord[] {
  return [...items(calls, dropped)]
}
