/** Changes a validator's description and commission (x/staking MsgEditValidator). */
import { blockTime } from '../../blockTime.ts'
import type { Context } from '../../context.ts'
import { decimalText, one } from '../../decimal.ts'
import { sdkError } from '../../txError.ts'
import { stakingParams } from './params.ts'
import { checkDescription, type Commission, type Description, type Validator } from './validator.ts'
import { getValidator, setValidator, stakingError } from './validators.ts'

/** Leaves a number unchanged. */
export const noChange = undefined
/** Leaves a part of a description unchanged. */
const keep = '[do-not-modify]'
const day = 86_400n

export type ValidatorEdit = {
  readonly operator: Uint8Array
  readonly description: Description
  readonly rate: bigint | undefined
  readonly minSelfDelegation: bigint | undefined
}

/**
 * Changes a validator. Returns it, and its commission in the format of events. Throws the SDK's
 * errors.
 */
export function editValidator(
  context: Context,
  { operator, description, rate, minSelfDelegation }: ValidatorEdit,
): { readonly validator: Validator; readonly commission: string } {
  if (minSelfDelegation !== undefined && minSelfDelegation <= 0n) {
    throw sdkError('invalidRequest', 'minimum self delegation must be a positive integer')
  }
  if (rate !== undefined) checkRate(context, rate)
  const before = getValidator(context, operator)
  const validator = {
    ...before,
    description: edited(before.description, description),
    commission: rate === undefined ? before.commission : changed(context, before.commission, rate),
  }
  if (minSelfDelegation !== undefined) {
    if (minSelfDelegation <= before.minSelfDelegation) {
      throw stakingError(17, 'minimum self delegation cannot be decrease')
    }
    if (minSelfDelegation > before.tokens) {
      throw stakingError(16, "validator's self delegation must be greater than their minimum self delegation")
    }
    validator.minSelfDelegation = minSelfDelegation
  }
  setValidator(context, validator)
  return { validator, commission: commissionText(validator.commission) }
}

function checkRate(context: Context, rate: bigint): void {
  if (rate > one || rate < 0n) {
    throw sdkError('invalidRequest', 'commission rate must be between 0 and 1 (inclusive)')
  }
  const { minCommissionRate } = stakingParams(context)
  if (rate < minCommissionRate) {
    throw sdkError(
      'invalidRequest',
      `commission rate cannot be less than the min commission rate ${decimalText(minCommissionRate)}`,
    )
  }
}

function edited(before: Description, after: Description): Description {
  const pick = (part: keyof Description): string => (after[part] === keep ? before[part] : after[part])
  const description = {
    moniker: pick('moniker'),
    identity: pick('identity'),
    website: pick('website'),
    securityContact: pick('securityContact'),
    details: pick('details'),
  }
  checkDescription(description)
  return description
}

function changed(context: Context, before: Commission, rate: bigint): Commission {
  const now = blockTime(context)
  if (now.seconds - before.updateTime.seconds < day) {
    throw stakingError(12, 'commission cannot be changed more than once in 24h')
  }
  if (rate > before.rates.maxRate) {
    throw stakingError(11, 'commission cannot be more than the max rate')
  }
  const change = rate > before.rates.rate ? rate - before.rates.rate : before.rates.rate - rate
  if (change > before.rates.maxChangeRate) {
    throw stakingError(15, 'commission cannot be changed more than max change rate')
  }
  stakingParams(context) // the node reads the minimum commission rate again, which costs gas
  return { rates: { ...before.rates, rate }, updateTime: now }
}

/**
 * Returns a commission in Go's protobuf text format, in which decimals are integers and zeros are
 * omitted.
 */
function commissionText({ rates, updateTime: { seconds, nanos } }: Commission): string {
  const time = [...(seconds === 0n ? [] : [`seconds:${seconds} `]), ...(nanos === 0 ? [] : [`nanos:${nanos} `])]
  return (
    `commission_rates:<rate:"${rates.rate}" max_rate:"${rates.maxRate}" ` +
    `max_change_rate:"${rates.maxChangeRate}" > update_time:<${time.join('')}> `
  )
}
