/**
 * What a chain remembers: a record and a state for every height, and the indexes over them. All of it
 * is append-only and shared between checkpoints (design §2).
 */
import type { AppState } from '../app/state.ts'
import type { AppendIndex } from '../data/appendIndex.ts'
import type { PersistentMap } from '../data/persistentMap.ts'
import type { Segments } from '../data/segments.ts'
import type { BlockRecord } from './block.ts'

/**
 * `base` is the lowest height still held (1, or more when pruned); `records` and `states` start at
 * `first`. Places are numbers: a transaction's is height · 2^20 + index, a block's its height.
 */
export type History = {
  readonly first: bigint
  readonly base: bigint
  readonly records: Segments<BlockRecord>
  readonly states: Segments<AppState>
  readonly blockByHash: PersistentMap<number>
  readonly txByHash: PersistentMap<number>
  readonly ethTxByHash: PersistentMap<EthereumPlace>
  /** `type.key` NUL value → places of transactions, ascending; for `tx_search`. */
  readonly txEvents: AppendIndex
  /** The same for block events → heights; for `block_search`. */
  readonly blockEvents: AppendIndex
  /** Address, or position and topic → heights with such a log, ascending. */
  readonly logs: AppendIndex
}

export type EthereumPlace = { readonly height: bigint; readonly index: number }
