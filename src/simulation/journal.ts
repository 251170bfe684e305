/** What clients did: counts by method for expectations, and the last calls for people. */
import type { CallRecord } from '../rpc/callRecord.ts'

export type Journal = {
  readonly counts: ReadonlyMap<string, number>
  readonly recent: readonly CallRecord[]
  /** Calls that are no longer in `recent`. */
  readonly dropped: number
}

const recentMost = 256

export const emptyJournal: Journal = { counts: new Map(), recent: [], dropped: 0 }

/**
 * Returns the journal with more calls; the oldest leave a block at a time, so that noting stays
 * cheap.
 */
export function noted(journal: Journal, records: readonly CallRecord[]): Journal {
  if (records.length === 0) return journal
  const counts = new Map(journal.counts)
  for (const { method } of records) counts.set(method, (counts.get(method) ?? 0) + 1)
  const all = [...journal.recent, ...records]
  const isFull = all.length > 2 * recentMost
  return { counts, recent: isFull ? all.slice(-recentMost) : all, dropped: journal.dropped + (isFull ? all.length - recentMost : 0) }
}
