/** Commands of a node: the chain's commands and those of the node itself. */
import type { ChainCommand } from '../chain/command.ts'
import type { BlockRef } from '../codec/blockRef.ts'
import type { FaultToSet } from '../fault/rule.ts'
import type { CometSubscription, EthSubscriptionKind, LogFilter } from '../feed/subscriptions.ts'
import type { Settings } from '../settings/settings.ts'
import type { Task } from './output.ts'
import type { NodeKey } from './world.ts'

export type NodeCommand =
  | ChainCommand
  /** Does nothing; outcome: `done`. Used by actions that find nothing to do. */
  | { readonly type: 'none' }
  /** Runs the commands in order; outcome: that of the last. */
  | { readonly type: 'sequence'; readonly commands: readonly NodeCommand[] }
  /**
   * Mines `count` blocks, a few per tick; `gapMs` is the block time between them. Outcome:
   * `produced`, or `mining` while blocks are left to mine.
   */
  | { readonly type: 'mine'; readonly count: number; readonly gapMs?: bigint }
  /** Mines the next slice of the oldest job. Outcome: as for `mine`. */
  | { readonly type: 'mineOn' }
  /** Cancels all mining jobs; blocks already mined stay. Outcome: `done`. */
  | { readonly type: 'stopMining' }
  /**
   * Submits the transactions in order and stops after the first rejection; outcome: `submissions`.
   * Their hashes are kept under `id` if there is one.
   */
  | { readonly type: 'submissions'; readonly commands: readonly NodeCommand[]; readonly id?: string }
  /** Gives the task to the shell. Outcome: `id`, which the input `performed` repeats. */
  | { readonly type: 'perform'; readonly task: Task }
  /** Adds a key for the node to sign with. Outcome: `done`. */
  | { readonly type: 'addKey'; readonly key: NodeKey }
  /**
   * Resets chain, mempool, clock, filters and checkpoints to the state after the start. Outcome:
   * `done`.
   */
  | { readonly type: 'reset' }
  /**
   * Changes settings of the running node (those marked `live` in their table, and those of its block
   * policy). `noted` are changed settings of the genesis; a reload of files always has them, a step
   * never. Outcome: `done`.
   */
  | {
      readonly type: 'changeSettings'
      readonly settings: Partial<Settings>
      readonly noted?: Partial<Settings>
    }
  /** Outcome: `id`. */
  | { readonly type: 'checkpoint' }
  /** Outcome: `found`. Removes the restored checkpoint and all later ones. */
  | { readonly type: 'restore'; readonly id: string }
  | { readonly type: 'setFault'; readonly fault: FaultToSet }
  | { readonly type: 'clearFault'; readonly name: string | undefined }
  /** Outcome: `id`. */
  | { readonly type: 'installFilter'; readonly filter: FilterSpec }
  /** Outcome: `filterChanges`; `reset` is false for `eth_getFilterLogs`. */
  | { readonly type: 'pollFilter'; readonly id: string }
  /** Outcome: `found`. */
  | { readonly type: 'uninstallFilter'; readonly id: string }
  | {
      readonly type: 'subscribeComet'
      readonly connection: number
      readonly subscription: CometSubscription
    }
  | {
      readonly type: 'unsubscribeComet'
      readonly connection: number
      readonly query: string | undefined
    }
  | {
      readonly type: 'subscribeEth'
      readonly connection: number
      readonly subscription: EthSubscriptionKind
    }
  | { readonly type: 'unsubscribeEth'; readonly connection: number; readonly id: string }

export type FilterSpec =
  | { readonly kind: 'blocks' }
  | { readonly kind: 'pending' }
  /** `said` is the block range as the client wrote it, with tags and invalid ranges. */
  | {
      readonly kind: 'logs'
      readonly filter: LogFilter
      readonly said?: { readonly from: BlockRef | undefined; readonly to: BlockRef | undefined }
    }
