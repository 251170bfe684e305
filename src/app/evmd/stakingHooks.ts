/**
 * What other modules do when stake changes: distribution first, then slashing (evmd `SetHooks`).
 */
import type { Context } from './context.ts'
import { initializeDelegation, initializeValidator, settleRemovedValidator } from './modules/distribution/lifecycle.ts'
import { endPeriod, recordSlash } from './modules/distribution/periods.ts'
import { withdrawRewards } from './modules/distribution/rewards.ts'
import { forgetKey, rememberKey, startSigning } from './modules/slashing/signingInfo.ts'
import { getDelegation, type Pair } from './modules/staking/delegations.ts'
import { consensusAddress, type Validator } from './modules/staking/validator.ts'
import { getValidator } from './modules/staking/validators.ts'

/** A validator has been created. */
export function afterValidatorCreated(context: Context, operator: Uint8Array): void {
  initializeValidator(context, getValidator(context, operator))
  rememberKey(context, getValidator(context, operator))
}

/** A validator without delegations has been removed. */
export function afterValidatorRemoved(context: Context, validator: Validator): void {
  settleRemovedValidator(context, validator.operator)
  forgetKey(context, consensusAddress(validator))
}

/** A validator begins to sign. */
export function afterValidatorBonded(context: Context, validator: Validator): void {
  startSigning(context, consensusAddress(validator))
}

/** A delegator is about to delegate to a validator for the first time. */
export function beforeDelegationCreated(context: Context, { operator }: Pair): void {
  endPeriod(context, getValidator(context, operator))
}

/** What a delegator has with a validator is about to change. */
export function beforeSharesModified(context: Context, pair: Pair): void {
  const validator = getValidator(context, pair.operator)
  withdrawRewards(context, validator, getDelegation(context, pair))
}

/** What a delegator has with a validator has changed. */
export function afterDelegationModified(context: Context, pair: Pair): void {
  initializeDelegation(context, pair)
}

/** A validator is about to lose a share of its tokens. */
export function beforeValidatorSlashed(context: Context, operator: Uint8Array, fraction: bigint): void {
  recordSlash(context, getValidator(context, operator), fraction)
}
