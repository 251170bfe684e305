/** The mempool's cache, which rejects transactions that were submitted before (`comet-rpc.md` §6). */
import { mapChanged, mapDelete, mapEntries, mapGet, mapHas, mapSize } from '../data/persistentMap.ts'
import { plainHexOf } from '../codec/hex.ts'
import type { MempoolTx } from './event.ts'
import { orderKey, type Mempool, type MempoolLimits } from './mempool.ts'

/** The key of a transaction, and whether the cache has it afterwards. */
export type Seen = { readonly key: string; readonly isKept: boolean }

/** Returns whether the cache contains a key. */
export function remembers(mempool: Mempool, key: string): boolean {
  return mapHas(mempool.cache, key)
}

/**
 * Returns the mempool with a key as the newest cache entry; the oldest entries beyond the cache
 * size are dropped.
 */
export function remember(limits: Limits, mempool: Mempool, key: string): Mempool {
  return cached(limits, mempool, [{ key, isKept: true }])
}

/**
 * Returns the mempool without a key in its cache, so that the transaction may be submitted again.
 */
export function forget(mempool: Mempool, key: string): Mempool {
  const seq = mapGet(mempool.cache, key)
  if (seq === undefined) return mempool
  return {
    ...mempool,
    cache: mapDelete(mempool.cache, key),
    cacheOrder: mapDelete(mempool.cacheOrder, orderKey(seq)),
  }
}

/** Returns the mempool without a transaction, and the one that it replaced, in its cache. */
export function forgotten(mempool: Mempool, { hash, replaced }: MempoolTx): Mempool {
  const rest = forget(mempool, plainHexOf(hash))
  return replaced === undefined ? rest : forget(rest, plainHexOf(replaced.hash))
}

type Limits = Pick<MempoolLimits, 'cacheSize'>

/** Returns the mempool after its cache has seen transactions, one after the other. */
export function cached({ cacheSize }: Limits, mempool: Mempool, seen: readonly Seen[]): Mempool {
  if (cacheSize <= 0) return mempool
  const cache = new Map<string, number | undefined>()
  const order = new Map<string, string | undefined>()
  const oldest = oldestFirst(mempool, order)
  let size = mapSize(mempool.cache)
  let { nextSeq } = mempool
  const drop = (key: string, seq: number): void => {
    cache.set(key, undefined)
    order.set(orderKey(seq), undefined)
    size -= 1
  }
  const seqOf = (key: string) => (cache.has(key) ? cache.get(key) : mapGet(mempool.cache, key))
  for (const { key, isKept } of seen) {
    const before = seqOf(key)
    if (before !== undefined) drop(key, before)
    if (!isKept) continue
    cache.set(key, nextSeq)
    order.set(orderKey(nextSeq), key)
    nextSeq += 1
    size += 1
    while (size > cacheSize) {
      const gone = oldest.next().value
      const seq = gone && seqOf(gone)
      if (gone === undefined || seq === undefined) break
      drop(gone, seq)
    }
  }
  return {
    ...mempool,
    cache: mapChanged(mempool.cache, cache),
    cacheOrder: mapChanged(mempool.cacheOrder, order),
    nextSeq,
  }
}

/** Yields the keys of the cache from the oldest on, those of `changes` last, as they are when asked for. */
function* oldestFirst({ cacheOrder }: Mempool, changes: ReadonlyMap<string, string | undefined>): Generator<string> {
  for (const [seq, key] of mapEntries(cacheOrder)) if (!changes.has(seq)) yield key
  for (const key of changes.values()) if (key !== undefined) yield key
}
