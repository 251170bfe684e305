/**
 * What a chain remembers: a record and a state for every height, and the indexes over them. All of it
 * is append-only and shared between checkpoints (design §2).
 */
import type { AbciEvent } from '../app/abci.ts'
import type { AppState } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { appendNumber, truncatedIndex, type AppendIndex } from '../data/appendIndex.ts'
import { mapDelete, mapGet, mapSet, type PersistentMap } from '../data/persistentMap.ts'
import { append, itemAt, items, truncated, type Segments } from '../data/segments.ts'
import type { BlockRecord, TxRecord } from './block.ts'

/**
 * `base` is the lowest height still held (`first`, or more when pruned); `records` and `states` start
 * at `first`. Transactions are numbered through the chain: `txPlaces` says where each one is.
 */
export type History = {
  readonly first: bigint
  readonly base: bigint
  readonly records: Segments<BlockRecord>
  readonly states: Segments<AppState>
  readonly blockByHash: PersistentMap<number>
  readonly txPlaces: Segments<TxPlace>
  readonly txByHash: PersistentMap<number>
  readonly ethTxByHash: PersistentMap<EthereumPlace>
  /** `eventKey` → numbers of transactions; `tag` alone → those that have it at all. */
  readonly txEvents: AppendIndex
  /** The same for block events → heights. */
  readonly blockEvents: AppendIndex
  /** `logKey` of address and topics → heights with such a log. */
  readonly logs: AppendIndex
}

export type TxPlace = { readonly height: bigint; readonly index: number }
export type EthereumPlace = { readonly height: bigint; readonly index: number }

/** Returns the index key of a value; without one, of the tag itself. */
export function eventKey(tag: string, value?: string): string {
  return value === undefined ? tag : `${tag}\0${value}`
}

/** Returns the index key of an address (position undefined) or of a topic at its position. */
export function logKey(bytes: Uint8Array, position?: number): string {
  return `${position ?? 'a'}${plainHexOf(bytes)}`
}

/** Returns the record of a height, or undefined when it is not held. */
export function recordAt(history: History, height: bigint): BlockRecord | undefined {
  const index = Number(height - history.first)
  return height < history.base || index < 0 || index >= history.records.length ? undefined : itemAt(history.records, index)
}

/** Returns the state after a height, or undefined when it is not held. */
export function stateAt(history: History, height: bigint): AppState | undefined {
  const index = Number(height - history.first)
  return height < history.base || index < 0 || index >= history.states.length ? undefined : itemAt(history.states, index)
}

/** Returns the record with a block hash, or undefined. */
export function recordByHash(history: History, hash: Uint8Array): BlockRecord | undefined {
  const height = mapGet(history.blockByHash, plainHexOf(hash))
  return height === undefined ? undefined : recordAt(history, BigInt(height))
}

/** Returns a transaction and its block by Comet hash, or undefined. */
export function txByHash(history: History, hash: Uint8Array): { record: BlockRecord; tx: TxRecord } | undefined {
  const number = mapGet(history.txByHash, plainHexOf(hash))
  return number === undefined ? undefined : txByNumber(history, number)
}

/** Returns a transaction and its block by its number in the chain, or undefined. */
export function txByNumber(history: History, number: number): { record: BlockRecord; tx: TxRecord } | undefined {
  const { height, index } = itemAt(history.txPlaces, number)
  const record = recordAt(history, height)
  const tx = record?.txs[index]
  return record === undefined || tx === undefined ? undefined : { record, tx }
}

/** Returns the place of an Ethereum transaction by its hash, or undefined. */
export function ethTxPlace(history: History, hash: Uint8Array): EthereumPlace | undefined {
  return mapGet(history.ethTxByHash, plainHexOf(hash))
}

/** Returns the history with one more height. */
export function appended(history: History, record: BlockRecord, state: AppState): History {
  const { header } = record.block
  const withTxs = record.txs.reduce((before, tx) => appendTx(before, record, tx), history)
  return {
    ...withTxs,
    records: append(history.records, record),
    states: append(history.states, state),
    blockByHash: mapSet(history.blockByHash, plainHexOf(record.id.hash), Number(header.height)),
    ethTxByHash: record.ethereum.transactions.reduce((map, tx) =>
      mapSet(map, plainHexOf(tx.hash), { height: header.height, index: tx.index }), history.ethTxByHash),
    blockEvents: appendNumber(history.blockEvents, Number(header.height), eventKeys(record.results.events, [['block.height', String(header.height)]])),
    logs: appendNumber(history.logs, Number(header.height), logKeys(record)),
  }
}

function appendTx(history: History, record: BlockRecord, tx: TxRecord): History {
  const number = history.txPlaces.length
  const { height } = record.block.header
  const events = record.results.txResults[tx.index]?.events ?? []
  const own = [['tx.height', String(height)], ['tx.hash', plainHexOf(tx.hash).toUpperCase()]] as const
  return {
    ...history,
    txPlaces: append(history.txPlaces, { height, index: tx.index }),
    txByHash: mapSet(history.txByHash, plainHexOf(tx.hash), number),
    txEvents: appendNumber(history.txEvents, number, eventKeys(events, own)),
  }
}

/** Only attributes marked `index` are searchable (`comet-rpc.md` §4.4). */
function eventKeys(events: readonly AbciEvent[], own: readonly (readonly [string, string])[]): Set<string> {
  const keys = new Set(own.flatMap(([tag, value]) => [eventKey(tag), eventKey(tag, value)]))
  for (const { type, attributes } of events) {
    for (const { key, value, index } of attributes) {
      if (!index || type === '' || key === '') continue
      keys.add(eventKey(`${type}.${key}`))
      keys.add(eventKey(`${type}.${key}`, value))
    }
  }
  return keys
}

function logKeys(record: BlockRecord): Set<string> {
  const keys = new Set<string>()
  for (const { receipt } of record.ethereum.transactions) {
    for (const { address, topics } of receipt.logs) {
      keys.add(logKey(address))
      topics.forEach((topic, position) => keys.add(logKey(topic, position)))
    }
  }
  return keys
}

/** Returns the history without the blocks above a height, which has one. */
export function withoutAbove(history: History, height: bigint): History {
  const count = Number(height - history.first) + 1
  const gone = [...items(history.records, count)]
  const txCount = history.txPlaces.length - gone.reduce((sum, { txs }) => sum + txs.length, 0)
  const without = <Value>(map: PersistentMap<Value>, hashes: readonly Uint8Array[]) =>
    hashes.reduce((before, hash) => mapDelete(before, plainHexOf(hash)), map)
  return {
    ...history,
    records: truncated(history.records, count),
    states: truncated(history.states, count),
    blockByHash: without(history.blockByHash, gone.map(({ id }) => id.hash)),
    txPlaces: truncated(history.txPlaces, txCount),
    txByHash: without(history.txByHash, gone.flatMap(({ txs }) => txs.map(({ hash }) => hash))),
    ethTxByHash: without(history.ethTxByHash, gone.flatMap(({ ethereum }) => ethereum.transactions.map(({ hash }) => hash))),
    txEvents: truncatedIndex(history.txEvents, txCount),
    blockEvents: truncatedIndex(history.blockEvents, Number(height) + 1),
    logs: truncatedIndex(history.logs, Number(height) + 1),
  }
}

/**
 * Returns the history that answers for nothing below a height; the newest block always stays. Searches
 * still count what is gone, as the real node's do (`corrections-a.md` C 14); memory is not given back.
 */
export function pruned(history: History, below: bigint): History {
  const newest = history.first + BigInt(history.records.length) - 1n
  const base = below < newest ? below : newest
  return base <= history.base ? history : { ...history, base }
}
