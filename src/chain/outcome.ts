/** What a command came to, for the reply of the method that asked. */
import type { TxResult } from '../app/abci.ts'
import type { BlockRecord } from './block.ts'

/**
 * `refusal` is the mempool's own (`comet-rpc.md` §6.1), with CometBFT's text; otherwise `check` is
 * the application's verdict and `admitted` says whether the transaction waits now.
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
  /** Of several submissions in turn, up to the first that was refused. */
  | { readonly type: 'submissions'; readonly each: readonly Submitted[] }
  | { readonly type: 'produced'; readonly heights: readonly bigint[] }
  /** Of a node command: blocks are still being mined, as the job of this number. */
  | { readonly type: 'mining'; readonly id: number }
  | { readonly type: 'timeMoved'; readonly offsetMs: bigint }
  | { readonly type: 'dropped'; readonly found: boolean }
  | { readonly type: 'done' }
  /** Of a node command: a checkpoint's, filter's or subscription's id, or whether one was found. */
  | { readonly type: 'id'; readonly id: string }
  | { readonly type: 'found'; readonly found: boolean }
  | { readonly type: 'filterChanges'; readonly changes: FilterChanges }

/** What a polled filter has gathered since it was asked last. */
export type FilterChanges =
  | { readonly kind: 'blocks'; readonly hashes: readonly Uint8Array[] }
  | { readonly kind: 'pending'; readonly hashes: readonly Uint8Array[] }
  | {
      readonly kind: 'logs'
      readonly from: bigint
      readonly to: bigint
      /** Blocks that are gone and whose logs it has shown, newest first. */
      readonly gone: readonly BlockRecord[]
    }
