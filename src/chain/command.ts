/**
 * Commands to the chain. A command is data from a method, a scenario step, an operator or the
 * agenda; only `step` executes commands.
 */
import type { StateEdit } from '../app/application.ts'
import type { Evidence } from './block.ts'

export type ChainCommand =
  /** Outcome: `Submitted`. `check` runs CheckTx and keeps only its check state. */
  | { readonly type: 'submitTx'; readonly tx: Uint8Array; readonly mode: 'admit' | 'check' }
  /**
   * Mines `count` blocks (default 1). Outcome: `produced`, without heights if there is no quorum.
   * `gapMs` is the block time between the blocks; with `gapFirst` also between the last existing
   * block and the first new one. `ifWaiting` mines only if a waiting transaction fits in the block.
   * `atMs` is the simulation time of the block, by default now.
   */
  | {
      readonly type: 'produceBlock'
      readonly count?: number
      readonly gapMs?: bigint
      readonly gapFirst?: boolean
      readonly ifWaiting?: boolean
      readonly atMs?: bigint
    }
  /**
   * Moves block time forward by `ms` for the next block and all later ones. Outcome: the new
   * offset.
   */
  | { readonly type: 'advanceTime'; readonly ms: bigint }
  /** Sets the timestamp of the next block; `keep` shifts all later ones too. */
  | { readonly type: 'setNextBlockTime'; readonly ms: bigint; readonly keep: boolean }
  | { readonly type: 'setBlockPolicy'; readonly policy: Partial<BlockPolicy> }
  /** Sets the block time between blocks; undefined restores the initial interval. */
  | { readonly type: 'setBlockStep'; readonly ms: bigint | undefined }
  | { readonly type: 'edit'; readonly edits: readonly StateEdit[] }
  | { readonly type: 'dropTx'; readonly hash: Uint8Array }
  /**
   * With `keepChecks`, flushed transactions still count for nonces until the next block, as on a
   * real node.
   */
  | { readonly type: 'flushMempool'; readonly keepChecks?: boolean }
  | { readonly type: 'holdTx'; readonly hash: Uint8Array; readonly held: boolean }
  /** Holds later transactions that match the rule; replaces a rule of the same name. */
  | { readonly type: 'holdNext'; readonly rule: HoldRule }
  /** Removes the rules with this name, or all rules; held transactions stay held. */
  | { readonly type: 'holdNoMore'; readonly name: string | undefined }
  | { readonly type: 'setSigning'; readonly validator: Uint8Array; readonly up: boolean }
  /** Makes this many rounds fail before the next block is decided. */
  | { readonly type: 'failRounds'; readonly rounds: number }
  | { readonly type: 'addEvidence'; readonly evidence: Evidence }
  /** Removes the newest `depth` blocks. Outcome: `done`. Throws `RollbackRefused`. */
  | { readonly type: 'rollback'; readonly depth: bigint }
  /**
   * Changes the hashes of the newest `depth` blocks on Ethereum JSON-RPC only. Outcome: `done`.
   * Throws `RollbackRefused`.
   */
  | { readonly type: 'reorgEthereum'; readonly depth: bigint }
  /** Prunes the blocks below a height; the newest block always stays. */
  | { readonly type: 'prune'; readonly below: bigint }

/**
 * When blocks are mined (design §3). `auto`: for each admitted transaction; `interval`: every
 * `intervalMs` of simulation time; `mixed`: both; `manual`: only on command. With `lazy`, a
 * submission is answered before its block is mined, as on the real node.
 */
export type BlockPolicy = {
  readonly mode: 'auto' | 'interval' | 'mixed' | 'manual'
  readonly intervalMs: bigint
  readonly lazy: boolean
  readonly paused: boolean
}

/** Returns whether a mode mines a block for each admitted transaction. */
export function minesPerTx({ mode }: Pick<BlockPolicy, 'mode'>): boolean {
  return mode === 'auto' || mode === 'mixed'
}

/** Returns whether a mode mines blocks at an interval. */
export function minesAtInterval({ mode }: Pick<BlockPolicy, 'mode'>): boolean {
  return mode === 'interval' || mode === 'mixed'
}

/**
 * Selects transactions to hold as they arrive; absent members match all. With `nth`, only the nth
 * match is held.
 */
export type HoldRule = {
  readonly name: string
  readonly from?: Uint8Array
  readonly to?: Uint8Array
  readonly nonce?: bigint
  readonly selector?: Uint8Array
  readonly nth?: number
  /** The number of transactions matched so far. */
  readonly matched: number
}
