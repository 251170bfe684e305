/**
 * Transactions that wait, in order of arrival, and the cache that refuses repeats
 * (`comet-rpc.md` §6.1; with the application's own mempool, `cosmos-evm-rpc.md` §8).
 */
import type { TxResult } from '../app/abci.ts'
import type { TxInfo } from '../app/application.ts'
import type { AppState } from '../app/state.ts'
import { plainHexOf } from '../codec/hex.ts'
import { sha256 } from '../crypto/hash.ts'
import { emptyMap, mapDelete, mapEntries, mapGet, mapHas, mapSet, mapSize, type PersistentMap } from '../data/persistentMap.ts'
import type { ChainWorld, MempoolLimits } from './chain.ts'
import type { ChainEvent, MempoolTx } from './event.ts'
import type { Submitted } from './outcome.ts'

/**
 * Keys are the hex of Comet hashes. `bySender` finds a replacement: sender and nonce to the key.
 * `cache` remembers arrival numbers, `cacheOrder` the reverse; the oldest leave first.
 */
export type Mempool = {
  readonly txs: PersistentMap<MempoolTx>
  readonly order: PersistentMap<string>
  readonly bySender: PersistentMap<string>
  readonly totalBytes: bigint
  readonly nextSeq: number
  readonly cache: PersistentMap<number>
  readonly cacheOrder: PersistentMap<string>
}

export const emptyMempool: Mempool = {
  txs: emptyMap, order: emptyMap, bySender: emptyMap, totalBytes: 0n, nextSeq: 1, cache: emptyMap, cacheOrder: emptyMap,
}

/** Returns the waiting transactions in order of arrival. */
export function waiting(mempool: Mempool): readonly MempoolTx[] {
  return [...mapEntries(mempool.order)].flatMap(([, key]) => mapGet(mempool.txs, key) ?? [])
}

/** Returns a waiting transaction by Comet hash. */
export function waitingTx(mempool: Mempool, hash: Uint8Array): MempoolTx | undefined {
  return mapGet(mempool.txs, plainHexOf(hash))
}

/** Returns how many transactions wait. */
export function waitingCount(mempool: Mempool): number {
  return mapSize(mempool.txs)
}

export type Admission = {
  readonly mempool: Mempool
  readonly app: AppState
  readonly outcome: Submitted
  readonly events: readonly ChainEvent[]
}

type Before = { readonly mempool: Mempool; readonly app: AppState }

/** Returns what became of a submitted transaction; the first reason to refuse it wins. */
export function admit(world: ChainWorld, { mempool, app }: Before, tx: Uint8Array): Admission {
  const hash = sha256(tx)
  const key = plainHexOf(hash)
  const refusal = refusalOf(world.limits, mempool, tx, key)
  if (refusal !== undefined) {
    const outcome: Submitted = { type: 'submitted', hash, ethHash: undefined, refusal, check: undefined, admitted: false }
    return { mempool, app, outcome, events: [] }
  }
  const cached = remember(world.limits, mempool, key)
  const { state, result, info, queued } = world.app.checkTx(app, tx, 'new')
  const verdict = result.code === 0 ? replacementVerdict(world.limits, cached, info) : undefined
  const check = verdict?.refused ?? result
  const outcome: Submitted = { type: 'submitted', hash, ethHash: info?.ethHash, refusal: undefined, check, admitted: check.code === 0 }
  if (check.code !== 0) {
    const kept = world.limits.keepInvalid ? cached : forget(cached, key)
    return { mempool: kept, app, outcome, events: [{ type: 'txRefused', hash, result: check }] }
  }
  const entry: MempoolTx = { hash, tx, seq: cached.nextSeq, info, gasWanted: check.gasWanted, held: false, queued }
  const old = verdict?.replaced
  const cleared = old === undefined ? cached : removed(cached, old)
  const events: ChainEvent[] = [
    ...(old === undefined ? [] : [{ type: 'txReplaced', old, by: entry } as const]), { type: 'txAccepted', tx: entry },
  ]
  return { mempool: added(cleared, entry), app: state, outcome, events }
}

function refusalOf(limits: MempoolLimits, mempool: Mempool, tx: Uint8Array, key: string): string | undefined {
  const count = waitingCount(mempool)
  if (count >= limits.size || mempool.totalBytes + BigInt(tx.length) > limits.maxTxsBytes) {
    return `mempool is full: number of txs ${count} (max: ${limits.size}), ` +
      `total txs bytes ${mempool.totalBytes} (max: ${limits.maxTxsBytes})`
  }
  if (tx.length > limits.maxTxBytes) return `Tx too large. Max size is ${limits.maxTxBytes}, but got ${tx.length}`
  return mapHas(mempool.cache, key) ? 'tx already exists in cache' : undefined
}

type Verdict = { readonly refused?: TxResult; readonly replaced?: MempoolTx }

/** geth's rule: both fee cap and tip must rise by the bump to take a waiting transaction's place. */
function replacementVerdict(limits: MempoolLimits, mempool: Mempool, info: TxInfo | undefined): Verdict | undefined {
  const bump = limits.priceBumpPercent
  if (bump === undefined || info?.kind !== 'ethereum') return undefined
  const old = mapGet(mempool.txs, mapGet(mempool.bySender, senderKey(info)) ?? '')
  if (old?.info === undefined) return undefined
  const isEnough = (value: bigint, before: bigint) => value * 100n >= before * (100n + bump)
  if (isEnough(info.feeCap, old.info.feeCap) && isEnough(info.tipCap, old.info.tipCap)) return { replaced: old }
  const log = 'replacement transaction underpriced'
  return { refused: { code: 1, data: undefined, log, info: '', gasWanted: 0n, gasUsed: 0n, events: [], codespace: 'undefined' } }
}

function senderKey({ sender, nonce }: TxInfo): string {
  return `${plainHexOf(sender)}/${nonce}`
}

const orderKey = (seq: number) => seq.toString().padStart(16, '0')

function added(mempool: Mempool, entry: MempoolTx): Mempool {
  const key = plainHexOf(entry.hash)
  return {
    ...mempool,
    txs: mapSet(mempool.txs, key, entry),
    order: mapSet(mempool.order, orderKey(entry.seq), key),
    bySender: entry.info?.kind === 'ethereum' ? mapSet(mempool.bySender, senderKey(entry.info), key) : mempool.bySender,
    totalBytes: mempool.totalBytes + BigInt(entry.tx.length),
    nextSeq: mempool.nextSeq + 1,
  }
}

/** Returns the mempool without a transaction; it stays in the cache. */
export function removed(mempool: Mempool, entry: MempoolTx): Mempool {
  const key = plainHexOf(entry.hash)
  if (!mapHas(mempool.txs, key)) return mempool
  return {
    ...mempool,
    txs: mapDelete(mempool.txs, key),
    order: mapDelete(mempool.order, orderKey(entry.seq)),
    bySender: entry.info === undefined ? mempool.bySender : mapDelete(mempool.bySender, senderKey(entry.info)),
    totalBytes: mempool.totalBytes - BigInt(entry.tx.length),
  }
}

/** Returns the mempool with an entry changed in its place. */
export function changed(mempool: Mempool, entry: MempoolTx): Mempool {
  return { ...mempool, txs: mapSet(mempool.txs, plainHexOf(entry.hash), entry) }
}

function remember(limits: MempoolLimits, mempool: Mempool, key: string): Mempool {
  const seq = mempool.nextSeq
  let cache = mapSet(mempool.cache, key, seq)
  let cacheOrder = mapSet(mempool.cacheOrder, orderKey(seq), key)
  for (const [oldest, gone] of mapEntries(cacheOrder)) {
    if (mapSize(cache) <= limits.cacheSize) break
    cache = mapDelete(cache, gone)
    cacheOrder = mapDelete(cacheOrder, oldest)
  }
  return { ...mempool, cache, cacheOrder, nextSeq: seq + 1 }
}

/** Returns the mempool that would take a transaction again. */
export function forget(mempool: Mempool, key: string): Mempool {
  const seq = mapGet(mempool.cache, key)
  if (seq === undefined) return mempool
  return { ...mempool, cache: mapDelete(mempool.cache, key), cacheOrder: mapDelete(mempool.cacheOrder, orderKey(seq)) }
}

/**
 * Returns the mempool after a block: what it included is gone (and may come again if it failed), the
 * rest is checked again in order of arrival, queued ones included: a closed gap promotes them.
 */
export function afterBlock(
  world: ChainWorld, { mempool, app }: Before, included: readonly { key: string; code: number }[],
): Omit<Admission, 'outcome'> {
  let next = mempool
  for (const { key, code } of included) {
    const entry = mapGet(next.txs, key)
    if (entry !== undefined) next = removed(next, entry)
    if (code !== 0 && !world.limits.keepInvalid) next = forget(next, key)
  }
  return world.limits.recheck && waitingCount(next) > 0 ? rechecked(world, { mempool: next, app }) : { mempool: next, app, events: [] }
}

/** Returns the mempool after every waiting transaction was checked again. */
export function rechecked(world: ChainWorld, before: Before): Omit<Admission, 'outcome'> {
  let { mempool, app } = before
  const events: ChainEvent[] = []
  for (const entry of inNonceOrder(waiting(mempool))) {
    const { state, result, queued } = world.app.checkTx(app, entry.tx, 'recheck')
    if (result.code !== 0) {
      mempool = forget(removed(mempool, entry), plainHexOf(entry.hash))
      events.push({ type: 'txEvicted', tx: entry, why: 'recheck' })
      continue
    }
    app = state
    if (queued !== entry.queued) mempool = changed(mempool, { ...entry, queued })
  }
  return { mempool, app, events }
}

/** Arrival order, except that the transactions of one sender come by nonce. */
function inNonceOrder(entries: readonly MempoolTx[]): readonly MempoolTx[] {
  const nonces = new Map<string, MempoolTx[]>()
  for (const entry of entries) {
    const sender = entry.info === undefined ? plainHexOf(entry.hash) : plainHexOf(entry.info.sender)
    nonces.set(sender, [...(nonces.get(sender) ?? []), entry])
  }
  const nonceOf = (entry: MempoolTx) => entry.info?.nonce ?? 0n
  return [...nonces.values()].flatMap((own) => own.toSorted((a, b) => (nonceOf(a) < nonceOf(b) ? -1 : nonceOf(a) > nonceOf(b) ? 1 : a.seq - b.seq)))
}
