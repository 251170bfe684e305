/** Transactions that wait, in order of arrival, and the cache that refuses repeats. */
import type { PersistentMap } from '../data/persistentMap.ts'
import type { MempoolTx } from './event.ts'

/** Keys are the hex of Comet hashes. `cache` remembers arrival numbers; the oldest leave first. */
export type Mempool = {
  readonly txs: PersistentMap<MempoolTx>
  readonly totalBytes: bigint
  readonly nextSeq: number
  readonly cache: PersistentMap<number>
}
