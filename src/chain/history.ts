/**
 * The history of a chain: one record and one state per height, with indexes over them. All of it is
 * append-only and shared between checkpoints (design §2).
 */
import { closedStates, foldedIn, openState } from '../app/closedStates.ts'
import type { AppState, Overlay } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { truncatedIndex } from '../data/appendIndex.ts'
import { hashesFrom, truncatedHashes, withHash, withHashes, withoutHashes } from '../data/hashIndex.ts'
import {
  append,
  chunkLength,
  closeBefore,
  closeInside,
  emptySegments,
  type Form,
  itemAt,
  items,
  truncated,
  withoutFirst,
} from '../data/segments.ts'
import { runsFrom } from '../data/sortedRuns.ts'
import { assert } from '../errors.ts'
import type { BlockRecord, TxRecord } from './block.ts'
import {
  blockHashes,
  ethereumNumber,
  ethereumPlaces,
  type HeldTx,
  type History,
  txAt,
  txSource,
  withBlockEvents,
  indexWithLogs,
  withTx,
} from './indexing.ts'
import { withOldBlocks, withOldTxs } from './oldIndexes.ts'
import { withoutTxHash, withoutTxHashesFrom, withTxHashes } from './txHashes.ts'

/** Returns the record of a height, or undefined if the height is pruned or unknown. */
export function recordAt(history: History, height: bigint): BlockRecord | undefined {
  const index = Number(height - history.first)
  return height < history.base || index < 0 || index >= history.records.length
    ? undefined
    : itemAt(history.records, index)
}

/** Returns the state after a height, or undefined if the height is pruned or unknown. */
export function stateAt(history: History, height: bigint): AppState | undefined {
  const index = Number(height - history.first)
  return height < history.stateBase || index < 0 || index >= history.states.length
    ? undefined
    : openState(history.states, index)
}

/**
 * Returns the operator's edits that the block of a height folded in; undefined if there were none. Throws
 * `AssertionFailed` if the state of the height is not stored.
 */
export function foldedAt({ first, states }: History, height: bigint): Overlay | undefined {
  return foldedIn(itemAt(states, Number(height - first)))
}

/** Returns the history with its newest records replaced, one for each height. */
export function withReplaced(history: History, records: readonly BlockRecord[]): History {
  const count = history.records.length - records.length
  const old = [...items(history.records, count)].flatMap(({ ethereum }) => ethereum.ids?.hash ?? [])
  const hashes = records.map(
    ({ ethereum, id, block: { header } }) =>
      [plainHexOf(ethereum.ids?.hash ?? id.hash), Number(header.height)] as const,
  )
  const blockByHash = withHashes(withoutHashes(history.blockByHash, old.map(plainHexOf)), new Map(hashes))
  return {
    ...history,
    blockByHash,
    records: records.reduce(append, truncated(history.records, count)),
  }
}

type Addition = { readonly state: AppState; readonly retention: Retention }

/** Returns the history with one more height. */
export function appended(history: History, record: BlockRecord, { state, retention }: Addition): History {
  const { isIndexed, open = openByDefault } = retention
  const { height } = record.block.header
  const first = history.txs.length
  const records = append(history.records, record)
  const states = append(history.states, state)
  const events = append(history.events, isIndexed ? record.results.events : [])
  const withTxs = record.txs.reduce(
    (before, tx) => appendTx(before, record, { tx, retention }),
    withTxHashes(history, record.txs, first),
  )
  const whole: History = {
    ...withTxs,
    records,
    states,
    events,
    blockByHash: withHash(history.blockByHash, plainHexOf(record.id.hash), Number(height)),
    ethTxByHash: withHashes(history.ethTxByHash, new Map(ethereumPlaces(record))),
    blockEvents: isIndexed ? withBlockEvents(history.blockEvents, events, Number(history.first)) : history.blockEvents,
    logs: indexWithLogs(history.logs, record),
  }
  const isWhole = retention.blocks === 0n && history.base === history.first
  const moved = withOldTxs(withOldBlocks(whole, { open, isIndexed }), { open, isIndexed })
  closeTxs(withTxs.txs, {
    from: settledTxs(history, open),
    to: settledTxs(moved, open),
    open,
    formOf: isWhole ? placeForm : undefined,
  })
  closeBefore(records, open)
  closeBefore(states, open, (first) => closedStates(states, first))
  if (isIndexed) closeInside(events, open, { whole: records, path: ['results', 'events'] })
  else closeBefore(events, open)
  return moved
}

function appendTx(
  history: History,
  { block, results }: BlockRecord,
  { tx, retention }: { tx: TxRecord; retention: Retention },
): History {
  const number = history.txs.length
  const { height } = block.header
  const { hash, index } = tx
  const result = results.txResults[index]
  const bytes = block.txs[index]
  assert(result !== undefined && bytes !== undefined, 'every transaction of a block has bytes and a result')
  const txs = append(history.txs, { height, index, hash, tx: bytes, result })
  const grown = { ...history, txs }
  return {
    ...grown,
    txEvents: retention.isIndexed ? withTx(history.txEvents, number, txSource(grown)) : history.txEvents,
  }
}

/**
 * Returns how many of the first transactions count as appended when chunks are closed: a chunk closes after the
 * index entries of its transactions have moved, for which large blocks take several blocks.
 */
function settledTxs({ txs, txByHash: { old } }: History, open: number): number {
  return Math.min(txs.length, old.end + open + chunkLength - 1)
}

type TxClosing = {
  readonly from: number
  readonly to: number
  readonly open: number
  readonly formOf: typeof placeForm | undefined
}

/** Closes what each transaction leaves behind, from number `from` on. */
function closeTxs(txs: History['txs'], { from, to, open, formOf }: TxClosing): void {
  for (let length = from + 1; length <= to; length++) closeBefore(truncated(txs, length), open, formOf)
}

/** Stores only the place of a transaction: the block has the rest and is never pruned. */
function placeForm(): Form<HeldTx> {
  return { plain: ({ height, index }) => ({ height, index }) }
}

/** Returns the history with its last record replaced by one of the same block hash. */
export function withLastRecord(history: History, record: BlockRecord): History {
  const { records } = history
  return { ...history, records: append(truncated(records, records.length - 1), record) }
}

/** Returns the history without the blocks above a height, which must have a block. */
export function withoutAbove(history: History, height: bigint): History {
  const count = Number(height - history.first) + 1
  const gone = [...items(history.records, count)]
  return {
    ...indexedUpTo(history, height),
    records: truncated(history.records, count),
    states: truncated(history.states, count),
    blockByHash: truncatedHashes(history.blockByHash, Number(height) + 1, gone.flatMap(blockHashes)),
  }
}

/** Returns the history with its search indexes cut after a height; all blocks stay. */
export function indexedUpTo(history: History, height: bigint): History {
  const count = Number(height - history.first) + 1
  const late = [...items(history.records, count)]
  const txCount = history.txs.length - late.reduce((sum, { txs }) => sum + txs.length, 0)
  return {
    ...withoutTxHashesFrom(
      history,
      txCount,
      late.flatMap(({ txs }) => txs.map(({ hash }) => hash)),
    ),
    txs: truncated(history.txs, txCount),
    events: truncated(history.events, count),
    ethTxByHash: truncatedHashes(history.ethTxByHash, ethereumNumber(height + 1n, 0), late.flatMap(ethereumHashes)),
    txEvents: truncatedIndex(history.txEvents, txCount),
    blockEvents: truncatedIndex(history.blockEvents, Number(height) + 1),
    logs: truncatedIndex(history.logs, Number(height) + 1),
  }
}

function ethereumHashes(record: BlockRecord): readonly string[] {
  return ethereumPlaces(record).map(([hash]) => hash)
}

/**
 * Returns the history without the blocks below a height; the newest block always stays. Indexed
 * data is still found, as on the real node (`corrections-a.md` C 14).
 */
export function pruned(history: History, below: bigint, { isIndexed }: { isIndexed: boolean }): History {
  const newest = history.first + BigInt(history.records.length) - 1n
  const base = below < newest ? below : newest
  if (base <= history.base) return history
  const txs = isIndexed && history.base === history.first ? wholeTxs(history) : history.txs
  const gone = Number(base - history.first)
  const { blockByHash, ethTxByHash, logs } = history
  // The hashes of older blocks are in runs.
  const start = Math.max(Number(history.base), blockByHash.old.end) - Number(history.first)
  const old = [...items(history.records, start, gone)]
  const shorter = {
    ...history,
    base,
    txs,
    blockByHash: hashesFrom(withoutHashes(blockByHash, old.flatMap(blockHashes)), Number(base)),
    ethTxByHash: hashesFrom(withoutHashes(ethTxByHash, old.flatMap(ethereumHashes)), ethereumNumber(base, 0)),
    logs: { ...logs, old: runsFrom(logs.old, Number(base)) },
    records: withoutFirst(history.records, gone),
  }
  return isIndexed ? shorter : withoutTxs(shorter, history)
}

/**
 * Returns the transactions in full. A chain that kept all blocks stored only their places, so this
 * runs before its first block is pruned.
 */
function wholeTxs(history: History): History['txs'] {
  let whole: History['txs'] = emptySegments()
  for (let number = 0; number < history.txs.length; number++) whole = append(whole, txAt(history, number))
  return whole
}

/**
 * Returns the history without the transactions of pruned blocks; `before` still has these blocks.
 */
function withoutTxs(history: History, before: History): History {
  const { base, txs, events, first } = history
  let number = history.firstTx
  let shorter = history
  for (; number < txs.length && itemAt(txs, number).height < base; number++) {
    shorter = withoutTxHash(shorter, number, txAt(before, number).hash)
  }
  const { txByHash, txEvents, blockEvents } = shorter
  return {
    ...shorter,
    firstTx: number,
    txByHash: hashesFrom(txByHash, number),
    txEvents: { ...txEvents, old: runsFrom(txEvents.old, number) },
    blockEvents: { ...blockEvents, old: runsFrom(blockEvents.old, Number(base)) },
    txs: withoutFirst(txs, number),
    events: withoutFirst(events, Number(base - first)),
  }
}

/** Returns the history without the states below a height; the newest state always stays. */
export function statesPruned(history: History, below: bigint): History {
  const newest = history.first + BigInt(history.states.length) - 1n
  const stateBase = below < newest ? below : newest
  if (stateBase <= history.stateBase) return history
  return {
    ...history,
    stateBase,
    states: withoutFirst(history.states, Number(stateBase - history.first)),
  }
}

/**
 * How much of the past a chain keeps. `blocks`: number of blocks, 0 for all. `states`: `recent`
 * states besides the latest, pruned every `interval` blocks; undefined keeps all. `isIndexed`:
 * blocks are searchable, even after they are pruned. `open`: how many of the newest blocks, states
 * and transactions stay objects, at least. Older ones are bytes: they take a fiftieth of the memory
 * and milliseconds to read.
 */
export type Retention = {
  readonly blocks: bigint
  readonly states: { readonly recent: bigint; readonly interval: bigint } | undefined
  readonly isIndexed: boolean
  readonly open?: number
}

const openByDefault = 128

/** The default retention: keeps everything. */
export const keepsAll: Retention = { blocks: 0n, states: undefined, isIndexed: true }
