/** The history of a chain as a value, its search indexes, and how they are rebuilt. */
import type { AbciEvent, TxResult } from '../app/abci.ts'
import { plainHexOf } from '../codec/hex.ts'
import { appendNumber, emptyIndex, sealIndex, truncatedIndex, type AppendIndex } from '../data/appendIndex.ts'
import { firstHeld, itemAt, seal, type Segments, truncated } from '../data/segments.ts'
import { rememberedBy } from '../data/remembered.ts'
import { assert } from '../errors.ts'
import { accountKeys } from './accountKeys.ts'
import type { BlockRecord } from './block.ts'
import type { HeldState } from '../app/closedStates.ts'
import type { HashIndex } from '../data/hashIndex.ts'
import type { PersistentMap } from '../data/persistentMap.ts'

/** The parts of a transaction that searches use. */
export type SearchedTx = Pick<IndexedTx, 'height' | 'hash'> & {
  readonly result: { readonly events: readonly AbciEvent[] }
}

/** Returns the index key of a tag with a value, or of the tag itself. */
export function eventKey(tag: string, value?: string): string {
  return value === undefined ? tag : `${tag}\0${value}`
}

/**
 * Returns a function that does as `eventKey` and returns the same string for the same key. Transactions
 * of a block repeat most of their keys, and a new string must be hashed again to be found.
 */
export function eventKeysOnce(): typeof eventKey {
  const keys = new Map<string, Map<string, string>>()
  return (tag, value) => {
    if (value === undefined) return tag
    const ofTag = keys.get(tag) ?? new Map<string, string>()
    if (ofTag.size === 0) keys.set(tag, ofTag)
    const known = ofTag.get(value)
    if (known !== undefined) return known
    const key = eventKey(tag, value)
    ofTag.set(value, key)
    return key
  }
}

/** Returns the index key of an address (position undefined) or of a topic at its position. */
export function logKey(bytes: Uint8Array, position?: number): string {
  return `${position ?? 'a'}${plainHexOf(bytes)}`
}

/** Returns the index keys of a transaction. */
export function txKeys({ height, hash, result: { events } }: SearchedTx, keyOf = eventKey): readonly string[] {
  const own = [
    ['tx.height', String(height)],
    ['tx.hash', plainHexOf(hash).toUpperCase()],
  ] as const
  return eventKeys(events, own, keyOf)
}

/** Returns the index keys of a block's events. */
export function blockKeys(events: readonly AbciEvent[], height: number): readonly string[] {
  return eventKeys(events, [['block.height', String(height)]])
}

/**
 * Returns the index with one more transaction; `read` returns this transaction and earlier ones.
 */
export function withTx(index: AppendIndex, number: number, { read, source }: TxSource): AppendIndex {
  return appendNumber(index, number, (one) => txKeys(read(one)), source)
}

/**
 * Reads transactions by number. For all transactions of the same `source`, the newest `read` is
 * used.
 */
export type TxSource = { readonly read: (number: number) => SearchedTx; readonly source: object }

/** The part of a history that holds its transactions. */
export type TxHistory = Pick<History, 'txs' | 'records' | 'first'>

/** Returns a transaction by number; if only its place is stored, reads it from its block. */
export function txAt({ txs, records, first }: TxHistory, number: number): IndexedTx {
  const held = itemAt(txs, number)
  if ('tx' in held) return held
  const { height, index } = held
  const { block, results, txs: inBlock } = itemAt(records, Number(height - first))
  const [hash, tx, result] = [inBlock[index]?.hash, block.txs[index], results.txResults[index]]
  assert(hash !== undefined && tx !== undefined && result !== undefined, `no transaction ${index} in block ${height}`)
  return { height, index, hash, tx, result }
}

/** Returns the reader of a history's transactions. */
export function txSource({ txs, records, first }: TxHistory): TxSource {
  return { read: (number) => txAt({ txs, records, first }, number), source: txs.storage }
}

/** Returns the block event index with the last block of `events`, whose first height is `first`. */
export function withBlockEvents(index: AppendIndex, events: History['events'], first: number): AppendIndex {
  const keys = (height: number) => blockKeys(itemAt(events, height - first), height)
  return appendNumber(index, first + events.length - 1, keys, events.storage)
}

/** Only attributes marked `index` are searchable (`comet-rpc.md` §4.4). A key may be there twice. */
function eventKeys(
  events: readonly AbciEvent[],
  own: readonly (readonly [string, string])[],
  keyOf = eventKey,
): readonly string[] {
  const keys = own.flatMap(([tag, value]) => [keyOf(tag), keyOf(tag, value)])
  for (const { type, attributes } of events) {
    if (type === '') continue
    const tags = tagsOf(type)
    for (const { key, value, index } of attributes) {
      if (!index || key === '') continue
      const tag = tags.get(key) ?? newTag(tags, type, key)
      keys.push(keyOf(tag), keyOf(tag, value))
    }
  }
  return keys
}

// Event types and their attributes are few, and each transaction has dozens of them.
const tagsMost = 100
const tagsOf = rememberedBy(
  (type: string) => type,
  () => new Map<string, string>(),
  2000,
)

function newTag(tags: Map<string, string>, type: string, key: string): string {
  const tag = `${type}.${key}`
  if (tags.size < tagsMost) tags.set(key, tag)
  return tag
}

/** Returns the hashes that find a block, in hex. */
export function blockHashes({ id, ethereum: { ids } }: BlockRecord): readonly string[] {
  return ids === undefined ? [plainHexOf(id.hash)] : [plainHexOf(id.hash), plainHexOf(ids.hash)]
}

/** Returns the hashes of a block's Ethereum transactions, in hex, and their places (`ethereumNumber`). */
export function ethereumPlaces({ ethereum, block: { header } }: BlockRecord): readonly (readonly [string, number])[] {
  return ethereum.transactions.map(({ hash, index }) => [plainHexOf(hash), ethereumNumber(header.height, index)])
}

/** Returns the index keys of a block's logs and of the accounts of its transactions. */
export function logKeys(record: BlockRecord): Set<string> {
  const keys = new Set<string>()
  for (const tx of record.ethereum.transactions) {
    for (const key of accountKeys(tx)) keys.add(key)
    for (const { address, topics } of tx.receipt.logs) {
      keys.add(logKey(address))
      for (const [position, topic] of topics.entries()) keys.add(logKey(topic, position))
    }
  }
  return keys
}

/** Returns the history with indexes that only have their runs and limits. */
export function withoutIndexes(history: History): History {
  const bare = ({ limit, old }: AppendIndex): AppendIndex => ({ ...emptyIndex(old), limit })
  const { txEvents, blockEvents, logs } = history
  return { ...history, txEvents: bare(txEvents), blockEvents: bare(blockEvents), logs: bare(logs) }
}

/**
 * Returns a function that rebuilds the indexes of a history up to their limits, after their runs.
 * Histories with the same storage and as many numbers in runs share its index.
 */
export function indexer(): (history: History) => History {
  const known = new Map<object, Map<number, AppendIndex>>()
  const shared = (storage: object, { limit, old }: AppendIndex, upTo: UpTo): AppendIndex => {
    const indexes = known.get(storage) ?? new Map<number, AppendIndex>()
    known.set(storage, indexes)
    const index = upTo({ ...(indexes.get(old.end) ?? emptyIndex(old)), old }, limit)
    indexes.set(old.end, index)
    return truncatedIndex(index, limit)
  }
  return (history) => ({
    ...history,
    txEvents: shared(history.txs.storage, history.txEvents, (index, limit) => txEventsUpTo(history, index, limit)),
    blockEvents: shared(history.events.storage, history.blockEvents, (index, limit) =>
      blockEventsUpTo(history, index, limit),
    ),
    logs: shared(history.records.storage, history.logs, (index, limit) => logsUpTo(history, index, limit)),
  })
}

type UpTo = (index: AppendIndex, limit: number) => AppendIndex

/** Returns the index of the history's transactions, continued up to a number. */
export function txEventsUpTo(history: TxHistory, index: AppendIndex, limit: number): AppendIndex {
  const source = txSource(history)
  return upTo({ index, limit, from: firstHeld(history.txs) }, (before, number) => withTx(before, number, source))
}

/** Returns the index of the history's block events, continued up to a height. */
export function blockEventsUpTo({ events, first }: History, index: AppendIndex, limit: number): AppendIndex {
  const start = Number(first)
  return upTo({ index, limit, from: start + firstHeld(events) }, (before, height) =>
    withBlockEvents(before, truncated(events, height - start + 1), start),
  )
}

/** Returns the index of the history's logs, continued up to a height. */
export function logsUpTo({ records, first, base }: History, index: AppendIndex, limit: number): AppendIndex {
  return upTo({ index, limit, from: Number(base) }, (before, height) =>
    indexWithLogs(before, itemAt(records, height - Number(first))),
  )
}

function upTo(
  { index, limit, from }: { readonly index: AppendIndex; readonly limit: number; readonly from: number },
  file: (index: AppendIndex, number: number) => AppendIndex,
): AppendIndex {
  let grown = index
  for (let number = Math.max(index.limit, index.old.end, from); number < limit; number++) grown = file(grown, number)
  return grown
}

/**
 * Returns the log index with one more block. Its keys are computed now, so that the index does not
 * keep the block in memory.
 */
export function indexWithLogs(index: AppendIndex, record: BlockRecord): AppendIndex {
  const keys = logKeys(record)
  return keys.size === 0 ? index : appendNumber(index, Number(record.block.header.height), () => keys)
}

/** An indexed transaction: its place, bytes and result. */
export type IndexedTx = {
  readonly height: bigint
  readonly index: number
  readonly hash: Uint8Array
  readonly tx: Uint8Array
  readonly result: TxResult
}

/** A transaction, or its place in a block that is never pruned. */
export type HeldTx = IndexedTx | TxPlace

export type TxPlace = Pick<IndexedTx, 'height' | 'index'>

/**
 * The history of a chain. `base` is the lowest height whose block is stored (`first`, or higher
 * after pruning), `stateBase` the same for states. `records`, `states` and `events` start at
 * `first`. Transactions are numbered across the chain. As on the node, indexed data (`txs`,
 * `events` and the indexes) outlives its block.
 */
export type History = {
  readonly first: bigint
  readonly base: bigint
  readonly stateBase: bigint
  readonly records: Segments<BlockRecord>
  readonly states: Segments<HeldState>
  readonly blockByHash: HashIndex
  readonly txs: Segments<HeldTx>
  /** The number of the first transaction in `txs` that is still stored. */
  readonly firstTx: number
  readonly txByHash: HashIndex
  /** The numbers of transactions with the same bytes, by hash; at least two each, ascending. */
  readonly repeatedTxs: PersistentMap<readonly number[]>
  /** Hash → `ethereumNumber`. */
  readonly ethTxByHash: HashIndex
  /**
   * `eventKey` → transaction numbers; a tag alone → transactions that have the tag with any value.
   */
  readonly txEvents: AppendIndex
  /** The events of each block; empty lists if indexing is off. */
  readonly events: Segments<readonly AbciEvent[]>
  /** `eventKey` of block events → heights. */
  readonly blockEvents: AppendIndex
  /**
   * `logKey` of an address or topic → heights with such a log; `accountKey` and `nonceKey`
   * (`accountKeys.ts`) → heights with such a transaction.
   */
  readonly logs: AppendIndex
}

/** Lets a version of a history that is kept keep nothing of what is appended later. */
export function sealHistory({ records, states, txs, events, txEvents, blockEvents, logs }: History): void {
  for (const list of [records, states, txs, events]) seal(list)
  for (const index of [txEvents, blockEvents, logs]) sealIndex(index)
}

export type EthereumPlace = { readonly height: bigint; readonly index: number }

const indexesPerHeight = 2 ** 20

/** Returns the place of an Ethereum transaction as a number, in order of height and index. */
export function ethereumNumber(height: bigint, index: number): number {
  assert(index < indexesPerHeight, `a block has fewer than ${indexesPerHeight} Ethereum transactions`)
  return Number(height) * indexesPerHeight + index
}

/** Returns the place that `ethereumNumber` was called with. */
export function ethereumPlaceOf(number: number): EthereumPlace {
  return { height: BigInt(Math.floor(number / indexesPerHeight)), index: number % indexesPerHeight }
}
