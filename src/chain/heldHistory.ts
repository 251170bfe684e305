/** The bytes of a history's closed chunks, which the shell moves to disk and back. */
import type { AbciEvent } from '../app/abci.ts'
import { heldOf, segmentsMapper } from '../data/closedChunks.ts'
import type { Held, Segments } from '../data/segments.ts'
import type { BlockRecord } from './block.ts'
import type { HeldTx, History } from './indexing.ts'

/** Returns the lists of a history whose old chunks are bytes. */
export function closedLists({ records, states, txs, events }: History): readonly Segments<unknown>[] {
  return [records, states, txs, events]
}

/** Yields the bytes of all closed chunks of a history; chunks that share bytes yield them again. */
export function* heldIn(history: History): Generator<Held> {
  for (const list of closedLists(history)) yield* heldOf(list)
}

/**
 * Returns a function that replaces the bytes of blocks, transactions and events in histories; the
 * states are left to the caller. Histories that share chunks share the result.
 */
export function historyMapper(held: (held: Held) => Held): (history: History) => History {
  const [records, txs] = [segmentsMapper<BlockRecord>({ held }), segmentsMapper<HeldTx>({ held })]
  const events = segmentsMapper<readonly AbciEvent[]>({ held })
  return (history) => ({
    ...history,
    records: records(history.records),
    txs: txs(history.txs),
    events: events(history.events),
  })
}
