/**
 * What the chain says happened, in order. Feeds, waiting replies and scenario triggers read these.
 */
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
  /** By an operator, between two blocks. */
  | { readonly type: 'validatorsEdited'; readonly updates: readonly ValidatorUpdate[] }
  | { readonly type: 'evidenceAdded'; readonly evidence: Evidence }
  | { readonly type: 'timeMoved'; readonly offsetMs: bigint }
  | { readonly type: 'stateEdited' }
  /** Newest first. */
  | { readonly type: 'blocksRemoved'; readonly records: readonly BlockRecord[] }
  /** On Ethereum JSON-RPC alone; `gone` newest first, `came` oldest first. */
  | {
      readonly type: 'ethReorganised'
      readonly gone: readonly BlockRecord[]
      readonly came: readonly BlockRecord[]
    }
  | { readonly type: 'restored'; readonly height: bigint }
  /** A bug came to light; the text says where, and what was thrown. */
  | { readonly type: 'incident'; readonly text: string }

/** `seq` orders arrivals; `held` transactions are not proposed. */
export type MempoolTx = {
  readonly hash: Uint8Array
  readonly tx: Uint8Array
  readonly seq: number
  readonly info: TxInfo | undefined
  readonly gasWanted: bigint
  /** The height of the chain and the simulation time when it came. */
  readonly since: { readonly height: bigint; readonly ms: bigint }
  readonly held: boolean
  /** The name of the rule that held it. */
  readonly heldAs?: string
  readonly queued: boolean
  /** False of what came queued or as a replacement: only the application's mempool has it. */
  readonly inComet: boolean
  /** The replaced one, which CometBFT goes on holding. */
  readonly replaced: MempoolTx | undefined
}
