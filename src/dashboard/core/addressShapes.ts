/** Responses of the control API about an address and its contract. */
import type { Validator } from './stakingShapes.ts'
import type { Coin } from './tokenShapes.ts'

export type Fn = {
  readonly name: string
  readonly signature: string
  readonly inputs: readonly { readonly name: string; readonly type: string }[]
  readonly outputs: readonly { readonly name: string; readonly type: string }[]
  readonly reads: boolean
  readonly payable: boolean
}

export type AddressView = {
  readonly ethereum: string
  readonly cosmos: string
  readonly validator: string
  readonly label: string | null
  readonly hasKey: boolean
  readonly wei: string
  readonly nonce: number
  readonly exists: boolean
  readonly code: string
  readonly codeHash: string | null
  readonly coins: { readonly balances?: readonly Coin[] } | null
  readonly account: { readonly account?: Readonly<Record<string, unknown>> } | null
  readonly delegations: {
    readonly delegation_responses?: readonly {
      readonly delegation: { readonly validator_address: string }
      readonly balance: Coin
    }[]
  } | null
  readonly unbonding: {
    readonly unbonding_responses?: readonly {
      readonly validator_address: string
      readonly entries: readonly { readonly balance: string; readonly completion_time: string }[]
    }[]
  } | null
  readonly rewards: {
    readonly rewards?: readonly { readonly validator_address: string; readonly reward: readonly Coin[] }[]
    readonly total?: readonly Coin[]
  } | null
  /** The facts of the validator that this account operates. */
  readonly validatorFacts: Validator | null
  /** The address whose code a call to this proxy runs. */
  readonly implementation: string | null
  readonly contract: {
    readonly name: string
    readonly functions: readonly Fn[]
    readonly events: readonly string[]
  } | null
}
