/** Hooks of other modules on stake changes: distribution first, then slashing (evmd `SetHooks`). */
import type { Context } from './context.ts'
import { initializeDelegation, initializeValidator, settleRemovedValidator } from './modules/distribution/lifecycle.ts'
import { endPeriod, recordSlash } from './modules/distribution/periods.ts'
import { withdrawRewards } from './modules/distribution/rewards.ts'
import { forgetKey, rememberKey, startSigning } from './modules/slashing/signingInfo.ts'
import { getDelegation, type DelegationPair } from './modules/staking/delegations.ts'
import { consensusAddress, type Validator } from './modules/staking/validator.ts'
import { getValidator } from './modules/staking/validators.ts'

/** Runs after a validator has been created. */
export function afterValidatorCreated(context: Context, operator: Uint8Array): void {
  initializeValidator(context, getValidator(context, operator))
  rememberKey(context, getValidator(context, operator))
}

/** Runs after a validator without delegations has been removed. */
export function afterValidatorRemoved(context: Context, validator: Validator): void {
  settleRemovedValidator(context, validator.operator)
  forgetKey(context, consensusAddress(validator))
}

/** Runs after a validator has entered the active validator set. */
export function afterValidatorBonded(context: Context, validator: Validator): void {
  startSigning(context, consensusAddress(validator))
}

/** Runs before a delegator delegates to a validator for the first time. */
export function beforeDelegationCreated(context: Context, { operator }: DelegationPair): void {
  endPeriod(context, getValidator(context, operator))
}

/** Runs before a delegation changes. */
export function beforeSharesModified(context: Context, pair: DelegationPair): void {
  const validator = getValidator(context, pair.operator)
  withdrawRewards(context, validator, getDelegation(context, pair))
}

/** Runs after a delegation has changed. */
export function afterDelegationModified(context: Context, pair: DelegationPair): void {
  initializeDelegation(context, pair)
}

/** Runs before a share of a validator's tokens is slashed. */
export function beforeValidatorSlashed(context: Context, operator: Uint8Array, fraction: bigint): void {
  recordSlash(context, getValidator(context, operator), fraction)
}
