/**
 * What a chain remembers: a record and a state for every height, and the indexes over them. All of
 * it is append-only and shared between checkpoints (design §2).
 */
import type { AbciEvent, TxResult } from '../app/abci.ts'
import type { AppState } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { appendNumber, truncatedIndex, type AppendIndex } from '../data/appendIndex.ts'
import { equalBytes } from '../data/bytes.ts'
import { mapDelete, mapGet, mapSet, type PersistentMap } from '../data/persistentMap.ts'
import { append, itemAt, items, truncated, withoutFirst, type Segments } from '../data/segments.ts'
import { assert } from '../errors.ts'
import type { BlockRecord, TxRecord } from './block.ts'
import { blockKeys, txKeys, withLogs } from './indexing.ts'

/**
 * `base` is the lowest height whose block is still held (`first`, or more when pruned), `stateBase`
 * the same for states; `records`, `states` and `events` start at `first`. Transactions are numbered
 * through the chain. As on the node, what can be searched (`txs`, `events` and the indexes)
 * outlives its block.
 */
export type History = {
  readonly first: bigint
  readonly base: bigint
  readonly stateBase: bigint
  readonly records: Segments<BlockRecord>
  readonly states: Segments<AppState>
  readonly blockByHash: PersistentMap<number>
  readonly txs: Segments<IndexedTx>
  /** The number of the first of them that is held. */
  readonly firstTx: number
  readonly txByHash: PersistentMap<number>
  readonly ethTxByHash: PersistentMap<EthereumPlace>
  /**
   * `eventKey` (`indexing.ts`) → numbers of transactions; `tag` alone → those that have it at all.
   */
  readonly txEvents: AppendIndex
  /** Of each block as a whole; none where nothing is indexed. */
  readonly events: Segments<readonly AbciEvent[]>
  /** The same for block events → heights. */
  readonly blockEvents: AppendIndex
  /** `logKey` of address and topics → heights with such a log. */
  readonly logs: AppendIndex
}

/** A transaction as the index keeps it: its place, its bytes and what came of it. */
export type IndexedTx = {
  readonly height: bigint
  readonly index: number
  readonly hash: Uint8Array
  readonly tx: Uint8Array
  readonly result: TxResult
}
export type EthereumPlace = { readonly height: bigint; readonly index: number }

/** Returns the record of a height, or undefined when it is not held. */
export function recordAt(history: History, height: bigint): BlockRecord | undefined {
  const index = Number(height - history.first)
  return height < history.base || index < 0 || index >= history.records.length
    ? undefined
    : itemAt(history.records, index)
}

/** Returns the state after a height, or undefined when it is not held. */
export function stateAt(history: History, height: bigint): AppState | undefined {
  const index = Number(height - history.first)
  return height < history.stateBase || index < 0 || index >= history.states.length
    ? undefined
    : itemAt(history.states, index)
}

/** Returns the record with a block hash of CometBFT, or undefined. */
export function recordByHash(history: History, hash: Uint8Array): BlockRecord | undefined {
  const record = hashedAs(history, hash)
  return record !== undefined && equalBytes(record.id.hash, hash) ? record : undefined
}

/** Returns the record with a block hash of interface B (`ethIds.ts`), or undefined. */
export function recordByEthHash(history: History, hash: Uint8Array): BlockRecord | undefined {
  const record = hashedAs(history, hash)
  if (record === undefined) return undefined
  return equalBytes(record.ethereum.ids?.hash ?? record.id.hash, hash) ? record : undefined
}

function hashedAs(history: History, hash: Uint8Array): BlockRecord | undefined {
  const height = mapGet(history.blockByHash, plainHexOf(hash))
  return height === undefined ? undefined : recordAt(history, BigInt(height))
}

/** Returns the history with others in place of its newest records, one for each height. */
export function withReplaced(history: History, records: readonly BlockRecord[]): History {
  const count = history.records.length - records.length
  const old = [...items(history.records, count)].flatMap(({ ethereum }) => ethereum.ids?.hash ?? [])
  const blockByHash = records.reduce((map, { ethereum, id, block: { header } }) =>
    mapSet(map, plainHexOf(ethereum.ids?.hash ?? id.hash), Number(header.height)),
  withoutKeys(history.blockByHash, old))
  return {
    ...history, blockByHash, records: records.reduce(append, truncated(history.records, count)),
  }
}

/**
 * Returns a transaction by Comet hash, the last one where bytes were included again, or undefined.
 */
export function txByHash(history: History, hash: Uint8Array): IndexedTx | undefined {
  const number = mapGet(history.txByHash, plainHexOf(hash))
  return number === undefined ? undefined : itemAt(history.txs, number)
}

/** Returns the place of an Ethereum transaction by its hash, or undefined. */
export function ethTxPlace(history: History, hash: Uint8Array): EthereumPlace | undefined {
  return mapGet(history.ethTxByHash, plainHexOf(hash))
}

type Addition = { readonly state: AppState; readonly isIndexed: boolean }

/** Returns the history with one more height. */
export function appended(
  history: History, record: BlockRecord, { state, isIndexed }: Addition,
): History {
  const { header } = record.block
  const height = Number(header.height)
  const withTxs = record.txs.reduce(
    (before, tx) => appendTx(before, record, { tx, isIndexed }), history
  )
  const { events } = record.results
  return {
    ...withTxs,
    records: append(history.records, record),
    states: append(history.states, state),
    events: append(history.events, isIndexed ? events : []),
    blockByHash: mapSet(history.blockByHash, plainHexOf(record.id.hash), height),
    ethTxByHash: record.ethereum.transactions.reduce((map, tx) =>
      mapSet(
        map, plainHexOf(tx.hash), { height: header.height, index: tx.index }
      ), history.ethTxByHash),
    blockEvents: isIndexed
      ? appendNumber(history.blockEvents, height, blockKeys(events, height)) : history.blockEvents,
    logs: withLogs(history.logs, record),
  }
}

function appendTx(
  history: History, { block, results }: BlockRecord,
  { tx, isIndexed }: { tx: TxRecord; isIndexed: boolean },
): History {
  const number = history.txs.length
  const { height } = block.header
  const { hash, index } = tx
  const result = results.txResults[index]
  const bytes = block.txs[index]
  assert(
    result !== undefined && bytes !== undefined,
    'every transaction of a block has bytes and a result'
  )
  const key = plainHexOf(hash)
  const indexed: IndexedTx = { height, index, hash, tx: bytes, result }
  return {
    ...history,
    txs: append(history.txs, indexed),
    txByHash: mapSet(history.txByHash, key, number),
    txEvents: isIndexed
      ? appendNumber(history.txEvents, number, txKeys(indexed))
      : history.txEvents,
  }
}

/** Returns the history with another record of its last block, of the same hash. */
export function withLastRecord(history: History, record: BlockRecord): History {
  const { records } = history
  return { ...history, records: append(truncated(records, records.length - 1), record) }
}

/** Returns the history without the blocks above a height, which has one. */
export function withoutAbove(history: History, height: bigint): History {
  const count = Number(height - history.first) + 1
  const gone = [...items(history.records, count)]
  return {
    ...indexedUpTo(history, height),
    records: truncated(history.records, count),
    states: truncated(history.states, count),
    blockByHash: withoutKeys(history.blockByHash, gone.flatMap(hashesOf)),
  }
}

/** Returns the history whose searches know nothing above a height; its blocks are all there. */
export function indexedUpTo(history: History, height: bigint): History {
  const count = Number(height - history.first) + 1
  const late = [...items(history.records, count)]
  const txCount = history.txs.length - late.reduce((sum, { txs }) => sum + txs.length, 0)
  return {
    ...history,
    txs: truncated(history.txs, txCount),
    events: truncated(history.events, count),
    txByHash: withoutKeys(history.txByHash, late.flatMap(({ txs }) => txs.map(({ hash }) => hash))),
    ethTxByHash: withoutKeys(
      history.ethTxByHash, late.flatMap(
        ({ ethereum }) => ethereum.transactions.map(({ hash }) => hash)
      )),
    txEvents: truncatedIndex(history.txEvents, txCount),
    blockEvents: truncatedIndex(history.blockEvents, Number(height) + 1),
    logs: truncatedIndex(history.logs, Number(height) + 1),
  }
}

function hashesOf({ id, ethereum }: BlockRecord): readonly Uint8Array[] {
  return ethereum.ids === undefined ? [id.hash] : [id.hash, ethereum.ids.hash]
}

function withoutKeys<Value>(
  map: PersistentMap<Value>, hashes: readonly Uint8Array[],
): PersistentMap<Value> {
  return hashes.reduce((before, hash) => mapDelete(before, plainHexOf(hash)), map)
}

/**
 * Returns the history without the blocks below a height; the newest block always stays. What is
 * indexed is still found, as on the real node (`corrections-a.md` C 14).
 */
export function pruned(
  history: History, below: bigint, { isIndexed }: { isIndexed: boolean },
): History {
  const newest = history.first + BigInt(history.records.length) - 1n
  const base = below < newest ? below : newest
  if (base <= history.base) return history
  let { blockByHash, ethTxByHash } = history
  for (let height = history.base; height < base; height++) {
    const record = itemAt(history.records, Number(height - history.first))
    blockByHash = withoutKeys(blockByHash, hashesOf(record))
    for (const { hash } of record.ethereum.transactions) {
      ethTxByHash = mapDelete(ethTxByHash, plainHexOf(hash))
    }
  }
  const gone = Number(base - history.first)
  const shorter = {
    ...history, base, blockByHash, ethTxByHash, records: withoutFirst(history.records, gone),
  }
  return isIndexed ? shorter : withoutTxs(shorter)
}

/** Returns the history without the transactions of blocks that it does not hold. */
function withoutTxs(history: History): History {
  const { base, txs, events, first } = history
  let { txByHash } = history
  let number = history.firstTx
  for (; number < txs.length && itemAt(txs, number).height < base; number++) {
    const key = plainHexOf(itemAt(txs, number).hash)
    // Where the bytes were included again, the later place is the one that is found.
    if (mapGet(txByHash, key) === number) txByHash = mapDelete(txByHash, key)
  }
  return {
    ...history, txByHash, firstTx: number, txs: withoutFirst(txs, number),
    events: withoutFirst(events, Number(base - first)),
  }
}

/** Returns the history without the states below a height; the newest always stays. */
export function statesPruned(history: History, below: bigint): History {
  const newest = history.first + BigInt(history.states.length) - 1n
  const stateBase = below < newest ? below : newest
  if (stateBase <= history.stateBase) return history
  return {
    ...history, stateBase, states: withoutFirst(history.states, Number(stateBase - history.first)),
  }
}
