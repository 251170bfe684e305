/** Parameters of x/gov. */
import { bool, type FieldType, message, repeated, text } from '../../../../codec/protobuf/message.ts'
import { assert } from '../../../../errors.ts'
import type { Context } from '../../context.ts'
import { coinField, durationField } from '../../wire.ts'
import type { Coin } from '../../coins.ts'

/**
 * The parameters. Durations are in nanoseconds; ratios are text with 18 decimal places, as encoded.
 */
export type GovParams = {
  minDeposit: readonly Coin[]
  maxDepositPeriod: bigint
  votingPeriod: bigint
  quorum: string
  threshold: string
  vetoThreshold: string
  minInitialDepositRatio: string
  proposalCancelRatio: string
  proposalCancelDest: string
  expeditedVotingPeriod: bigint
  expeditedThreshold: string
  expeditedMinDeposit: readonly Coin[]
  burnVoteQuorum: boolean
  burnProposalDepositPrevote: boolean
  burnVoteVeto: boolean
  minDepositRatio: string
}

const coinsField: FieldType<readonly Coin[]> = repeated(coinField)

export const govParamsMessage = message<GovParams>({
  1: ['minDeposit', coinsField],
  2: ['maxDepositPeriod', durationField],
  3: ['votingPeriod', durationField],
  4: ['quorum', text],
  5: ['threshold', text],
  6: ['vetoThreshold', text],
  7: ['minInitialDepositRatio', text],
  8: ['proposalCancelRatio', text],
  9: ['proposalCancelDest', text],
  10: ['expeditedVotingPeriod', durationField],
  11: ['expeditedThreshold', text],
  12: ['expeditedMinDeposit', coinsField],
  13: ['burnVoteQuorum', bool],
  14: ['burnProposalDepositPrevote', bool],
  15: ['burnVoteVeto', bool],
  16: ['minDepositRatio', text],
})

const key = Uint8Array.of(48)
const constitutionKey = Uint8Array.of(49)

/** Returns the parameters of x/gov. */
export function govParams(context: Context): GovParams {
  const value = context.store('gov').get(key)
  assert(value !== undefined, 'x/gov has no parameters')
  return govParamsMessage.decode(value)
}

/** Stores the parameters of x/gov. */
export function setGovParams(context: Context, params: GovParams): void {
  context.store('gov').set(key, govParamsMessage.encode(params))
}

/** Returns the text of the constitution. */
export function constitution(context: Context): string {
  return new TextDecoder().decode(context.store('gov').get(constitutionKey))
}

/** Stores the text of the constitution. */
export function setConstitution(context: Context, text: string): void {
  context.store('gov').set(constitutionKey, new TextEncoder().encode(text))
}
