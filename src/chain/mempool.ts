/**
 * The mempool and its waiting transactions, in order of arrival (`comet-rpc.md` §6); its cache is in
 * `mempoolCache.ts`.
 */
import type { TxInfo } from '../app/application.ts'
import { plainHexOf } from '../codec/hex.ts'
import {
  emptyMap,
  mapChanged,
  mapDelete,
  mapEntries,
  mapGet,
  mapSet,
  mapSize,
  type PersistentMap,
} from '../data/persistentMap.ts'
import type { MempoolTx } from './event.ts'
import { noShares, type Shares, withShare } from './poolShares.ts'

/**
 * Keys are CometBFT hashes in hex. `ready` lists those of the transactions that a block may include, by
 * arrival, and `aside` those of held and queued ones: blocks do not look at these. `bySender` finds an
 * Ethereum transaction by sender and nonce; `shares` sums them up.
 * `cache` maps keys to arrival numbers, `cacheOrder` the reverse; the oldest entries leave first.
 */
export type Mempool = {
  readonly txs: PersistentMap<MempoolTx>
  readonly ready: PersistentMap<string>
  readonly aside: PersistentMap<string>
  readonly bySender: PersistentMap<string>
  readonly shares: Shares
  readonly totalBytes: bigint
  readonly nextSeq: number
  readonly cache: PersistentMap<number>
  readonly cacheOrder: PersistentMap<string>
}

export const emptyMempool: Mempool = {
  txs: emptyMap,
  ready: emptyMap,
  aside: emptyMap,
  bySender: emptyMap,
  shares: noShares,
  totalBytes: 0n,
  nextSeq: 1,
  cache: emptyMap,
  cacheOrder: emptyMap,
}

/** Returns the arrival numbers (`orderKey`) and keys of the waiting transactions, in order of arrival. */
export function arrivals({ ready, aside }: Mempool): readonly (readonly [order: string, key: string])[] {
  const first = [...mapEntries(ready)]
  return mapSize(aside) === 0 ? first : [...first, ...mapEntries(aside)].sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Returns the waiting transactions in order of arrival. */
export function waiting(mempool: Mempool): readonly MempoolTx[] {
  return entriesOf(mempool, arrivals(mempool))
}

function entriesOf({ txs }: Mempool, all: Iterable<readonly [order: string, key: string]>): readonly MempoolTx[] {
  return [...all].flatMap(([, key]) => mapGet(txs, key) ?? [])
}

/**
 * Returns the transactions in CometBFT's own mempool, in order of arrival. It includes replaced
 * transactions, and omits those that arrived queued or as a replacement, even if promoted
 * (`corrections-b.md`, EVM mempool on).
 */
export function heldByComet(mempool: Mempool): readonly MempoolTx[] {
  return waiting(mempool)
    .flatMap((entry) => (entry.inComet ? entry : (entry.replaced ?? [])))
    .toSorted((a, b) => a.seq - b.seq)
}

/** Returns a waiting transaction by CometBFT hash, or undefined. */
export function waitingTx(mempool: Mempool, hash: Uint8Array): MempoolTx | undefined {
  return mapGet(mempool.txs, plainHexOf(hash))
}

/** Returns the number of waiting transactions. */
export function waitingCount(mempool: Mempool): number {
  return mapSize(mempool.txs)
}

/** Returns the waiting Ethereum transaction of a sender with a nonce, or undefined. */
export function waitingEthTx(mempool: Mempool, info: Pick<TxInfo, 'sender' | 'nonce'>): MempoolTx | undefined {
  const key = mapGet(mempool.bySender, senderKey(info))
  return key === undefined ? undefined : mapGet(mempool.txs, key)
}

/**
 * Returns whether the sender's transaction with the previous nonce is in the mempool and not
 * queued. CheckTx's state lacks transactions that wait only for a lower base fee, and so reports a
 * nonce gap. The pool has none (geth's legacypool counts nonces itself).
 */
export function followsPooled(mempool: Mempool, info: TxInfo | undefined): boolean {
  if (info === undefined || info.nonce === 0n) return false
  return waitingEthTx(mempool, { sender: info.sender, nonce: info.nonce - 1n })?.queued === false
}

/** Returns the transactions that a block may include, in order of arrival. */
export function candidates(mempool: Mempool): readonly MempoolTx[] {
  return entriesOf(mempool, mapEntries(mempool.ready))
}

/** Returns whether a block may include a waiting transaction. */
export function hasCandidates({ ready }: Mempool): boolean {
  return mapSize(ready) > 0
}

/** Returns the list in which a transaction is. */
function listOf({ held, queued }: MempoolTx): 'ready' | 'aside' {
  return held || queued ? 'aside' : 'ready'
}

function senderKey({ sender, nonce }: Pick<TxInfo, 'sender' | 'nonce'>): string {
  return `${plainHexOf(sender)}/${nonce}`
}

/** Returns the key of an arrival number; keys sort as their numbers do. */
export const orderKey = (seq: number) => seq.toString().padStart(16, '0')

/** Returns the mempool with one more transaction. */
export function added(mempool: Mempool, entry: MempoolTx): Mempool {
  const key = plainHexOf(entry.hash)
  const list = listOf(entry)
  return {
    ...mempool,
    txs: mapSet(mempool.txs, key, entry),
    [list]: mapSet(mempool[list], orderKey(entry.seq), key),
    bySender: entry.info?.kind === 'ethereum' ? mapSet(mempool.bySender, senderKey(entry.info), key) : mempool.bySender,
    shares: withShare(mempool.shares, entry, 1),
    totalBytes: mempool.totalBytes + BigInt(entry.tx.length),
    nextSeq: mempool.nextSeq + 1,
  }
}

/** Returns the mempool without a transaction; it stays in the cache. */
export function removed(mempool: Mempool, hash: Uint8Array): Mempool {
  return removedAll(mempool, [plainHexOf(hash)])
}

/**
 * Returns the mempool without several transactions, named by their keys; they stay in the cache.
 */
export function removedAll(mempool: Mempool, keys: readonly string[]): Mempool {
  const gone = new Map<string, MempoolTx>()
  for (const key of keys) {
    const entry = mapGet(mempool.txs, key)
    if (entry !== undefined) gone.set(key, entry)
  }
  if (gone.size === 0) return mempool
  if (gone.size === waitingCount(mempool)) {
    const { nextSeq, cache, cacheOrder } = mempool
    return { ...emptyMempool, nextSeq, cache, cacheOrder }
  }
  const entries = [...gone.values()]
  const listed = [...gone].flatMap(([key, { info }]) => {
    const at = info && senderKey(info)
    return at !== undefined && mapGet(mempool.bySender, at) === key ? [at] : []
  })
  const orders = entries.map(({ seq }) => orderKey(seq))
  return {
    ...mempool,
    txs: without(mempool.txs, [...gone.keys()]),
    ready: without(mempool.ready, orders),
    aside: without(mempool.aside, orders),
    bySender: without(mempool.bySender, listed),
    shares: entries.reduce((shares, entry) => withShare(shares, entry, -1), mempool.shares),
    totalBytes: entries.reduce((sum, { tx }) => sum - BigInt(tx.length), mempool.totalBytes),
  }
}

function without<Value>(map: PersistentMap<Value>, keys: readonly string[]): PersistentMap<Value> {
  return mapSize(map) === 0 ? map : mapChanged(map, new Map(keys.map((key) => [key, undefined])))
}

/** Returns the mempool with an entry replaced; its position stays. */
export function changed(mempool: Mempool, entry: MempoolTx): Mempool {
  const key = plainHexOf(entry.hash)
  const before = mapGet(mempool.txs, key)
  const isMoved = before !== undefined && before.queued !== entry.queued
  const shares = isMoved ? withShare(withShare(mempool.shares, before, -1), entry, 1) : mempool.shares
  const next = { ...mempool, txs: mapSet(mempool.txs, key, entry), shares }
  const [from, to] = [listOf(before ?? entry), listOf(entry)]
  if (from === to) return next
  const order = orderKey(entry.seq)
  return { ...next, [from]: mapDelete(next[from], order), [to]: mapSet(next[to], order, key) }
}

/** `[mempool]` of config.toml; sizes in bytes. */
export type MempoolLimits = {
  /** The mempool accepts no transactions (`type = "nop"`). */
  readonly takesNothing: boolean
  readonly size: number
  readonly maxTxsBytes: bigint
  readonly maxTxBytes: number
  readonly cacheSize: number
  readonly keepInvalid: boolean
  readonly recheck: boolean
  /**
   * Transactions that waited for more blocks or milliseconds than this leave after a block; 0
   * disables the limit.
   */
  readonly ttlBlocks: bigint
  readonly ttlMs: bigint
  /**
   * Set if the application has its own mempool: the minimum fee increase of a replacement, in
   * percent.
   */
  readonly priceBumpPercent: bigint | undefined
}
