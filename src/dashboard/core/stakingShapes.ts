/** Responses of the control API about validators and governance. */
import type { Coin } from './tokenShapes.ts'

export type Proposal = {
  readonly id: string
  readonly title: string
  readonly status: string
  readonly voting_end_time: string | null
  readonly tally: Readonly<Record<'yes_count' | 'no_count' | 'abstain_count' | 'no_with_veto_count', string>>
}

export type FullProposal = Proposal & {
  readonly summary: string
  readonly proposer: string
  readonly submit_time: string | null
  readonly deposit_end_time: string | null
  readonly messages: readonly Readonly<Record<string, unknown>>[]
  readonly votes: readonly {
    readonly voter: string
    readonly options: readonly { readonly option: string; readonly weight: string }[]
  }[]
  readonly deposits: readonly { readonly depositor: string; readonly amount: readonly Coin[] }[]
}

export type Validator = {
  readonly operator: string
  readonly moniker: string
  readonly status: string
  readonly jailed: boolean
  readonly tokens: string
  readonly commission: string
  readonly tombstoned: boolean
  readonly jailedUntil: string | null
  readonly consensus: string
  readonly power: number
  readonly priority: number
  /** Blocks missed in the current window of the slashing module. */
  readonly missed: number
  readonly signed: string
}
