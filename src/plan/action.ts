/**
 * Actions of steps. Names of accounts, validators and transactions are resolved when the action
 * runs.
 */
import type { FaultRule } from '../fault/rule.ts'
import type { Settings } from '../settings/settings.ts'
import type { NodeCommand } from '../node/command.ts'
import type { Side } from '../settings/side.ts'

/** `written` is the name of the action in its file, for reports. */
export type Action = ActionBody & { readonly written?: string }

type ActionBody =
  | { readonly type: 'command'; readonly command: NodeCommand }
  | { readonly type: 'editAccount'; readonly who: string; readonly change: AccountChange }
  | PlannedTx
  | PlannedCosmosTx
  /** Holds future transactions that match, until they are released. */
  | {
      readonly type: 'hold'
      readonly select: TxSelect
      readonly name: string
      readonly nth: number | undefined
    }
  | { readonly type: 'release'; readonly select: TxSelect }
  | { readonly type: 'drop'; readonly select: TxSelect }
  | {
      readonly type: 'fees'
      readonly baseFee: Fee | undefined
      readonly gasLimit: bigint | undefined
      readonly span: Span | undefined
    }
  | { readonly type: 'validator'; readonly name: string; readonly power: bigint }
  | {
      readonly type: 'jail'
      readonly validator: string
      readonly isJailed: boolean
      readonly slash: bigint
    }
  /** `in` counts from the next block, 0 or more; `height` takes precedence. */
  | {
      readonly type: 'upgrade'
      readonly name: string
      readonly height: bigint | undefined
      readonly in: bigint
      readonly info: string
    }
  | { readonly type: 'resume'; readonly appVersion: string | undefined }
  | { readonly type: 'rounds'; readonly count: number }
  /** Changes settings of the node for a span, or permanently. */
  | {
      readonly type: 'settings'
      readonly settings: Partial<Pick<Settings, 'catchingUp' | 'peers'>>
      readonly span: Span | undefined
    }
  | {
      readonly type: 'closeWs'
      readonly code: number
      readonly reason: string
      readonly side: Side | undefined
      readonly query: string | undefined
    }
  | { readonly type: 'several'; readonly actions: readonly Action[] }
  | { readonly type: 'signing'; readonly validator: string; readonly up: boolean }
  | { readonly type: 'evidence'; readonly validator: string; readonly attack: Attack | undefined }
  | {
      readonly type: 'rollback'
      readonly to: bigint | undefined
      readonly blocks: bigint | undefined
    }
  | { readonly type: 'snapshot'; readonly name: string }
  | { readonly type: 'restore'; readonly name: string }
  /**
   * `rule` is set for a fault that the plan does not declare. `once` ends it with the first call
   * that it hits.
   */
  | {
      readonly type: 'useFault'
      readonly name: string
      readonly rule?: FaultRule
      readonly forMs: bigint | undefined
      readonly forBlocks: bigint | undefined
      readonly once?: boolean
    }
  | { readonly type: 'clearFault'; readonly name: string | undefined }
  | {
      readonly type: 'call'
      readonly side: Side
      readonly method: string
      readonly params: string
    }
  /** Makes a call for an expectation; `key` identifies the stored response. */
  | {
      readonly type: 'ask'
      readonly key: string
      readonly side: Side
      readonly method: string
      readonly params: string
    }
  | { readonly type: 'set'; readonly values: Readonly<Record<string, string | number | boolean>> }
  | { readonly type: 'setPhase'; readonly name: string }
  | { readonly type: 'signal'; readonly name: string }
  | { readonly type: 'log'; readonly text: string }
  /** An action with late expressions, as JSON text. They are evaluated when the action runs. */
  | { readonly type: 'late'; readonly json: string }

/** The action of one type. */
export type ActionOf<Type extends Action['type']> = Extract<Action, { readonly type: Type }>

export type AccountChange =
  | { readonly type: 'setBalance'; readonly amount: bigint }
  | { readonly type: 'setNonce'; readonly nonce: bigint }
  | { readonly type: 'setCode'; readonly code: Uint8Array }
  | { readonly type: 'setStorage'; readonly slot: Uint8Array; readonly value: Uint8Array }

/**
 * Selects mempool transactions; absent members match all. `hash` is of either interface. `name` is
 * the name that a hold or a send gave the transaction.
 */
export type TxSelect = {
  readonly hash?: Uint8Array
  readonly name?: string
  readonly from?: string
  readonly to?: string
  readonly nonce?: bigint
  readonly selector?: Uint8Array
}

/** A duration: until `ms` milliseconds or `blocks` blocks are over, whichever comes first. */
export type Span = { readonly ms: bigint | undefined; readonly blocks: bigint | undefined }

/** Attacks on light clients. Evidence of double signing has no attack. */
export type Attack = 'Equivocation' | 'Lunatic' | 'Amnesia'

export type PlannedTx = {
  readonly type: 'sendTx'
  readonly from: PlannedWho
  readonly to: PlannedWho | undefined
  readonly data: PlannedData
  readonly value: bigint | PlannedDraw
  /** A number, or the name of a transaction to replace. */
  readonly nonce: bigint | string | undefined
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: Fee | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly name: string | undefined
  /** The transaction may fail or be rejected. */
  readonly allowRevert: boolean
  /** Display names: one per send, starting over after the last. */
  readonly labels?: readonly string[]
}

/** An account, or a draw from a group such as `@users` or from a list. */
export type PlannedWho = string | PlannedDraw

/** A value that is drawn anew for each send. */
export type PlannedDraw =
  | { readonly pick: string | readonly string[]; readonly weight?: 'even' | 'zipf' | undefined }
  | { readonly lognormal: { readonly median: string; readonly p99: string } }

/** `head` precedes the arguments: a selector, or the creation code of a contract. */
export type PlannedData = {
  readonly head: Uint8Array
  readonly types: string
  readonly args: readonly unknown[]
}

export type PlannedCosmosTx = {
  readonly type: 'cosmosTx'
  readonly from: string
  readonly messages: readonly PlannedMessage[]
  readonly gas: bigint
  readonly fee: Coins | undefined
  readonly memo: string
  readonly sequence: bigint | undefined
  readonly name: string | undefined
  readonly allowRevert: boolean
  /** The `broadcast_tx_…` method that sends it; if absent, it is submitted without a method. */
  readonly broadcast?: 'async' | 'sync' | 'commit'
  /** Display names: one per send, starting over after the last. */
  readonly labels?: readonly string[]
}

export type Coins = { readonly denom: string; readonly amount: string }

export type PlannedMessage =
  | { readonly type: 'send'; readonly to: string; readonly coins: Coins }
  | { readonly type: 'delegate' | 'undelegate'; readonly validator: string; readonly coins: Coins }
  | {
      readonly type: 'redelegate'
      readonly source: string
      readonly target: string
      readonly coins: Coins
    }
  | { readonly type: 'withdrawRewards'; readonly validator: string }
  | { readonly type: 'vote'; readonly proposal: bigint; readonly option: number }
  | { readonly type: 'raw'; readonly typeUrl: string; readonly value: Uint8Array }

/** An absolute base fee, or a multiple of the current one. */
export type Fee = { readonly amount: bigint } | { readonly times: bigint }
