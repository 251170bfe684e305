/** Transactions that a scenario sends. Names are resolved when a transaction is sent. */

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
