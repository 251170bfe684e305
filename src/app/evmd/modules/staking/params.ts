/** Parameters of x/staking. */
import { message, text, uint32 } from '../../../../codec/protobuf/message.ts'
import { assert } from '../../../../errors.ts'
import type { Context } from '../../context.ts'
import { storedForm } from '../../storedForm.ts'
import { digits, durationField } from '../../wire.ts'

/**
 * The parameters. `unbondingTime` is in nanoseconds; `minCommissionRate` is an 18-place decimal.
 */
export type StakingParams = {
  unbondingTime: bigint
  maxValidators: number
  maxEntries: number
  historicalEntries: number
  bondDenom: string
  minCommissionRate: bigint
}

export const stakingParamsMessage = message<StakingParams>({
  1: ['unbondingTime', durationField],
  2: ['maxValidators', uint32],
  3: ['maxEntries', uint32],
  4: ['historicalEntries', uint32],
  5: ['bondDenom', text],
  6: ['minCommissionRate', digits],
})

const stakingParamsForm = storedForm(stakingParamsMessage)
const key = Uint8Array.of(0x51)

/** Returns the parameters. The SDK reads all of them for each one it needs, which costs gas. */
export function stakingParams(context: Context): StakingParams {
  const params = context.store('staking').read(key, stakingParamsForm)
  assert(params !== undefined, 'x/staking has no parameters')
  return params
}

/** Stores the parameters of x/staking. */
export function setStakingParams(context: Context, params: StakingParams): void {
  context.store('staking').set(key, stakingParamsMessage.encode(params))
}
