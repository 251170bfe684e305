/** What may be asked of a node: the chain's commands and its own. */
import type { ChainCommand } from '../chain/command.ts'
import type { BlockRef } from '../codec/blockRef.ts'
import type { ActiveFault } from '../fault/rule.ts'
import type { CometSubscription, EthSubscriptionKind, LogFilter } from '../feed/subscriptions.ts'
import type { Settings } from '../settings/settings.ts'
import type { Task } from './output.ts'
import type { NodeKey } from './world.ts'

export type NodeCommand =
  | ChainCommand
  /** Does nothing; outcome: `done`. For an action that turns out to have nothing to ask for. */
  | { readonly type: 'none' }
  /** Carries out one after the other; outcome: that of the last. */
  | { readonly type: 'sequence'; readonly commands: readonly NodeCommand[] }
  /**
   * Mines so many blocks, a few with each tick; `gapMs` is the block time between them. Outcome:
   * `produced`, or `mining` while blocks are left to mine.
   */
  | { readonly type: 'mine'; readonly count: number; readonly gapMs?: bigint }
  /** Mines the next blocks of the oldest job; outcome as of `mine`. */
  | { readonly type: 'mineOn' }
  /** Gives up all mining jobs; their blocks so far stay. Outcome: `done`. */
  | { readonly type: 'stopMining' }
  /**
   * Submits one after the other and stops after the first that is refused; outcome: `submissions`.
   */
  | { readonly type: 'submissions'; readonly commands: readonly NodeCommand[] }
  /** Gives the work to the shell; outcome: `id`, under which `performed` comes back. */
  | { readonly type: 'perform'; readonly task: Task }
  /** A key more for the node to sign with. Outcome: `done`. */
  | { readonly type: 'addKey'; readonly key: NodeKey }
  /**
   * Everything as after the start: chain, mempool, clock, filters, checkpoints. Outcome: `done`.
   */
  | { readonly type: 'reset' }
  /** Settings that change while the node lives (`live` in their table). Outcome: `done`. */
  | { readonly type: 'changeSettings'; readonly settings: Partial<Settings> }
  /** Outcome: `id`. */
  | { readonly type: 'checkpoint' }
  /** Outcome: `found`. A restored checkpoint and all younger ones are gone afterwards. */
  | { readonly type: 'restore'; readonly id: string }
  | { readonly type: 'setFault'; readonly fault: ActiveFault }
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
  /** `said` keeps the range in the words of the client: tags, and ranges that make no sense. */
  | {
      readonly kind: 'logs'
      readonly filter: LogFilter
      readonly said?: { readonly from: BlockRef | undefined; readonly to: BlockRef | undefined }
    }
