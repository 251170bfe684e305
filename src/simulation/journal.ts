/** What clients did: counts by method for expectations, and the last calls for people. */
import { append, emptySegments, items, withoutFirst, type Segments } from '../data/segments.ts'
import type { CallRecord } from '../rpc/callRecord.ts'

export type Journal = {
  readonly counts: ReadonlyMap<string, number>
  /** Every call; the first `dropped` of them are no longer held. */
  readonly calls: Segments<CallRecord>
  readonly dropped: number
}

const recentMost = 256

export const emptyJournal: Journal = { counts: new Map(), calls: emptySegments(), dropped: 0 }

/**
 * Returns the journal with more calls; the oldest leave a block at a time, so that noting stays
 * cheap.
 */
export function noted(journal: Journal, records: readonly CallRecord[]): Journal {
  if (records.length === 0) return journal
  const counts = new Map(journal.counts)
  for (const { method } of records) counts.set(method, (counts.get(method) ?? 0) + 1)
  const calls = records.reduce((before, record) => append(before, record), journal.calls)
  const isFull = calls.length - journal.dropped > 2 * recentMost
  const dropped = isFull ? calls.length - recentMost : journal.dropped
  return { counts, calls: isFull ? withoutFirst(calls, dropped) : calls, dropped }
}

/** Returns the calls that are held, oldest first. */
export function recentCalls({ calls, dropped }: Journal): readonly CallRecord[] {
  return [...items(calls, dropped)]
}
