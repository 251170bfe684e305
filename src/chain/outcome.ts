/** The outcomes of commands, from which a method builds its response. */
import type { TxResult } from '../app/abci.ts'
import type { BlockRecord } from './block.ts'

/**
 * The outcome of a submission. `refusal` is the mempool's own error (`comet-rpc.md` §6.1), with
 * CometBFT's text. Otherwise `check` is the application's CheckTx result and `admitted` says
 * whether the transaction is in the mempool: also if CheckTx fails, when the application keeps it for itself.
 */
export type Submitted = {
  readonly type: 'submitted'
  readonly hash: Uint8Array
  readonly ethHash: Uint8Array | undefined
  readonly refusal: string | undefined
  readonly check: TxResult | undefined
  readonly admitted: boolean
}

export type Outcome =
  | Submitted
  /** Several submissions in order, up to the first refused one. */
  | { readonly type: 'submissions'; readonly each: readonly Submitted[] }
  /** `left` is the number of blocks that were not mined because the chain halted, lost its quorum or was restored. */
  | { readonly type: 'produced'; readonly heights: readonly bigint[]; readonly left?: number }
  /** Of a node command: blocks are still being mined by the mining job with this number. */
  | { readonly type: 'mining'; readonly id: number }
  /** `offsetMs` is by how much block time is ahead of its source in total, `byMs` by how much this command moved it. */
  | { readonly type: 'timeMoved'; readonly offsetMs: bigint; readonly byMs: bigint }
  | { readonly type: 'dropped'; readonly found: boolean }
  | { readonly type: 'done' }
  /** The id of a checkpoint, filter or subscription; or whether one, or an interval of blocks, was found. */
  | { readonly type: 'id'; readonly id: string }
  | { readonly type: 'found'; readonly found: boolean }
  | { readonly type: 'filterChanges'; readonly changes: FilterChanges }

/** Returns whether a command found what it was for. */
export function wasFound(outcome: Outcome): boolean {
  return outcome.type === 'found' && outcome.found
}

/** The changes since a filter was last polled. */
export type FilterChanges =
  | { readonly kind: 'blocks'; readonly hashes: readonly Uint8Array[] }
  | { readonly kind: 'pending'; readonly hashes: readonly Uint8Array[] }
  | {
      readonly kind: 'logs'
      readonly from: bigint
      readonly to: bigint
      /** Removed blocks whose logs the filter has already returned, newest first. */
      readonly gone: readonly BlockRecord[]
    }
