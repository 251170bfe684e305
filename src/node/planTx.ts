/** Transactions that a scenario sends. Names are resolved when it is their turn. */

export type PlannedTx = {
  readonly type: 'sendTx'
  readonly from: PlannedWho
  readonly to: PlannedWho | undefined
  readonly data: PlannedData
  readonly value: bigint | PlannedDraw
  /** A number, or the name of a transaction whose place it is to take. */
  readonly nonce: bigint | string | undefined
  readonly gas: bigint | undefined
  readonly gasPrice: bigint | undefined
  readonly maxFeePerGas: Fee | undefined
  readonly maxPriorityFeePerGas: bigint | undefined
  readonly name: string | undefined
  /** It may fail, or not even be taken. */
  readonly allowRevert: boolean
  /** What people call it: one for each occasion, from the start again after the last. */
  readonly labels?: readonly string[]
}

/** An account, or one of several: of a group like `@users`, or of a list. */
export type PlannedWho = string | PlannedDraw

/** Drawn anew each time. */
export type PlannedDraw =
  | { readonly pick: string | readonly string[]; readonly weight?: 'even' | 'zipf' | undefined }
  | { readonly lognormal: { readonly median: string; readonly p99: string } }

/** `head` stands before the arguments: a selector, or the code of a constructor. */
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
  /** Which `broadcast_tx_…` method sends it and answers; without one, no method does. */
  readonly broadcast?: 'async' | 'sync' | 'commit'
  /** What people call it: one for each occasion, from the start again after the last. */
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

/** A base fee, or so many times the one there is. */
export type Fee = { readonly amount: bigint } | { readonly times: bigint }
