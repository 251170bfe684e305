/** The events of a chain, in order. Feeds, pending replies and scenario triggers read them. */
import type { TxResult, ValidatorUpdate } from '../app/abci.ts'
import type { TxInfo } from '../app/application.ts'
import type { BlockRecord, Evidence } from './block.ts'

export type ChainEvent =
  | { readonly type: 'txAccepted'; readonly tx: MempoolTx }
  | { readonly type: 'txRefused'; readonly hash: Uint8Array; readonly result: TxResult }
  | { readonly type: 'txReplaced'; readonly old: MempoolTx; readonly by: MempoolTx }
  | {
      readonly type: 'txEvicted'
      readonly tx: MempoolTx
      readonly why: 'recheck' | 'dropped' | 'flushed' | 'expired'
    }
  | { readonly type: 'blockCommitted'; readonly record: BlockRecord }
  /** Validators changed by an operator between two blocks. */
  | { readonly type: 'validatorsEdited'; readonly updates: readonly ValidatorUpdate[] }
  | { readonly type: 'evidenceAdded'; readonly evidence: Evidence }
  | { readonly type: 'timeMoved'; readonly offsetMs: bigint }
  | { readonly type: 'stateEdited' }
  /** `records` are ordered newest first. */
  | { readonly type: 'blocksRemoved'; readonly records: readonly BlockRecord[] }
  /** A reorg on Ethereum JSON-RPC only; `gone` newest first, `came` oldest first. */
  | {
      readonly type: 'ethReorganised'
      readonly gone: readonly BlockRecord[]
      readonly came: readonly BlockRecord[]
    }
  | { readonly type: 'restored'; readonly height: bigint }
  /** A caught bug; the text names the place and the error. */
  | { readonly type: 'incident'; readonly text: string }

/**
 * A transaction in the mempool. `seq` is its arrival number; `held` transactions are not proposed.
 */
export type MempoolTx = {
  readonly hash: Uint8Array
  readonly tx: Uint8Array
  readonly seq: number
  readonly info: TxInfo | undefined
  readonly gasWanted: bigint
  /** The chain's height and the simulation time at arrival. */
  readonly since: { readonly height: bigint; readonly ms: bigint }
  readonly held: boolean
  /** The name of the hold rule that matched. */
  readonly heldAs?: string
  readonly queued: boolean
  /**
   * False if only the application's mempool has the transaction: it arrived queued or as a
   * replacement, or CometBFT dropped it because of its fee.
   */
  readonly inComet: boolean
  /** The replaced transaction, if CometBFT's mempool still contains it. */
  readonly replaced: MempoolTx | undefined
}
