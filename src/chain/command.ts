/**
 * What may be asked of the chain. A command is data: it comes from a method, a scenario step, an
 * operator or the agenda, and `step` is the one place that carries it out.
 */
import type { StateEdit } from '../app/application.ts'
import type { Evidence } from './block.ts'

export type ChainCommand =
  /** Outcome: `Submitted`. `check` runs CheckTx and keeps nothing but its check state. */
  | { readonly type: 'submitTx'; readonly tx: Uint8Array; readonly mode: 'admit' | 'check' }
  /**
   * Outcome: `produced`, without heights when there is no quorum. `gapMs` is the block time from
   * one of the blocks to the next, with `gapFirst` also from the last block before them.
   * `ifWaiting`: only if a transaction waits that the block can take. `atMs` is the simulation time
   * that block time is counted from, now unless given.
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
   * Moves block time forward by `ms` for the next block and all after it. Outcome: the new offset.
   */
  | { readonly type: 'advanceTime'; readonly ms: bigint }
  /** Sets the time of the next block; `keep` shifts all later ones too. */
  | { readonly type: 'setNextBlockTime'; readonly ms: bigint; readonly keep: boolean }
  | { readonly type: 'setBlockPolicy'; readonly policy: Partial<BlockPolicy> }
  /** Sets the block time from one block to the next; `undefined` is the genesis' own again. */
  | { readonly type: 'setBlockStep'; readonly ms: bigint | undefined }
  | { readonly type: 'edit'; readonly edits: readonly StateEdit[] }
  | { readonly type: 'dropTx'; readonly hash: Uint8Array }
  /** `keepChecks` as a real node: what waited still counts for nonces until the next block. */
  | { readonly type: 'flushMempool'; readonly keepChecks?: boolean }
  | { readonly type: 'holdTx'; readonly hash: Uint8Array; readonly held: boolean }
  /** Transactions to come that match are held; one of the same name is replaced. */
  | { readonly type: 'holdNext'; readonly rule: HoldRule }
  /** Ends the rules of a name, or all of them; what is held stays so. */
  | { readonly type: 'holdNoMore'; readonly name: string | undefined }
  | { readonly type: 'setSigning'; readonly validator: Uint8Array; readonly up: boolean }
  /** So many rounds fail before the next block is decided. */
  | { readonly type: 'failRounds'; readonly rounds: number }
  | { readonly type: 'addEvidence'; readonly evidence: Evidence }
  /** Takes so many blocks off the top of the chain; outcome: `done`. Throws `RollbackRefused`. */
  | { readonly type: 'rollback'; readonly depth: bigint }
  /**
   * Gives so many newest blocks other hashes on Ethereum JSON-RPC alone; outcome and refusal as above.
   */
  | { readonly type: 'reorgEthereum'; readonly depth: bigint }
  /** Forgets blocks below a height; the newest always stays. */
  | { readonly type: 'prune'; readonly below: bigint }

/**
 * When blocks are made (design §3). `auto`: with each admitted transaction; `interval`: every
 * `intervalMs` of simulation time; `mixed`: both; `manual`: on command only. `lazy` answers a
 * submission before its block is made, as the real node does.
 */
export type BlockPolicy = {
  readonly mode: 'auto' | 'interval' | 'mixed' | 'manual'
  readonly intervalMs: bigint
  readonly lazy: boolean
  readonly paused: boolean
}

/**
 * Which transactions are held when they come; absent members match all. `nth` holds that one alone.
 */
export type HoldRule = {
  readonly name: string
  readonly from?: Uint8Array
  readonly to?: Uint8Array
  readonly nonce?: bigint
  readonly selector?: Uint8Array
  readonly nth?: number
  /** How many it has matched. */
  readonly matched: number
}
