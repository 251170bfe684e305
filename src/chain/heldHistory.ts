/** The bytes of a history's closed chunks, which the shell moves to disk and back. */
import type { AbciEvent } from '../app/abci.ts'
import { heldOf, segmentsMapper } from '../data/closedChunks.ts'
import type { HeldBytes, Segments } from '../data/segments.ts'
import type { SortedRuns } from '../data/sortedRuns.ts'
import type { BlockRecord } from './block.ts'
import type { HeldTx, History } from './indexing.ts'

/** Returns the bytes of a history by list and by index, each the newest first. */
export function heldLists({ records, states, txs, events, ...indexes }: History): readonly Iterable<HeldBytes>[] {
  const lists = [records, states, txs, events].map((list: Segments<unknown>) => heldOf(list))
  return [...lists, ...runsIn(indexes).map(({ runs }) => heldOfRuns(runs))]
}

function runsIn({ blockByHash, txByHash, ethTxByHash, txEvents, blockEvents, logs }: Indexes): readonly SortedRuns[] {
  return [blockByHash, txByHash, ethTxByHash, txEvents, blockEvents, logs].map(({ old }) => old)
}

type Indexes = Pick<History, 'blockByHash' | 'txByHash' | 'ethTxByHash' | 'txEvents' | 'blockEvents' | 'logs'>

function* heldOfRuns(runs: SortedRuns['runs']): Generator<HeldBytes> {
  for (let at = runs.length - 1; at >= 0; at--) {
    const run = runs[at]
    if (run !== undefined) yield run.held
  }
}

/**
 * Yields the bytes of all closed chunks and of all indexes of a history; chunks that share bytes
 * yield them again.
 */
export function* heldIn(history: History): Generator<HeldBytes> {
  for (const list of heldLists(history)) yield* list
}

/**
 * Returns a function that replaces the bytes of blocks, transactions, events and indexes in
 * histories; the states are left to the caller. Histories that share chunks share the result.
 */
export function historyMapper(held: (held: HeldBytes) => HeldBytes): (history: History) => History {
  const [records, txs] = [segmentsMapper<BlockRecord>({ held }), segmentsMapper<HeldTx>({ held })]
  const events = segmentsMapper<readonly AbciEvent[]>({ held })
  return (history) => ({
    ...history,
    records: records(history.records),
    txs: txs(history.txs),
    events: events(history.events),
    blockByHash: withRuns(history.blockByHash, held),
    txByHash: withRuns(history.txByHash, held),
    ethTxByHash: withRuns(history.ethTxByHash, held),
    txEvents: withRuns(history.txEvents, held),
    blockEvents: withRuns(history.blockEvents, held),
    logs: withRuns(history.logs, held),
  })
}

function withRuns<Index extends { readonly old: SortedRuns }>(
  index: Index,
  held: (held: HeldBytes) => HeldBytes,
): Index {
  const { end, runs } = index.old
  return { ...index, old: { end, runs: runs.map((run) => ({ ...run, held: held(run.held) })) } }
}
