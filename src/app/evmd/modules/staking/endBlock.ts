/** Updates the validator set and completes unbondings at the end of a block. */
import type { ValidatorUpdate } from '../../../abci.ts'
import { accountText, operatorText } from '../../address.ts'
import { blockTime, isPast } from '../../blockTime.ts'
import { emit, type Context } from '../../context.ts'
import { coinsText } from '../../coins.ts'
import { undelegateCoins } from '../bank/delegate.ts'
import type { DelegationPair } from './delegations.ts'
import { stakingParams } from './params.ts'
import { notBondedPool } from './pools.ts'
import {
  deleteUnbondingId,
  findRedelegation,
  findUnbonding,
  type Move,
  putRedelegation,
  putUnbonding,
  takeRedelegations,
  takeUnbondings,
} from './unbondings.ts'
import { unbondMatureValidators } from './validatorLife.ts'
import { updateValidatorSet } from './validatorSet.ts'

/** Returns the validator updates, after paying out completed unbondings. */
export function endStaking(context: Context): readonly ValidatorUpdate[] {
  const updates = updateValidatorSet(context)
  unbondMatureValidators(context)
  for (const pair of takeUnbondings(context, blockTime(context))) completeUnbonding(context, pair)
  for (const move of takeRedelegations(context, blockTime(context))) {
    completeRedelegation(context, move)
  }
  return updates
}

function completeUnbonding(context: Context, pair: DelegationPair): void {
  const unbonding = findUnbonding(context, pair)
  if (unbonding === undefined) return
  const { bondDenom: denom } = stakingParams(context)
  let total = 0n
  const left = unbonding.entries.filter((entry) => {
    if (!isPast(context, entry.completionTime) || entry.onHold > 0n) return true
    deleteUnbondingId(context, entry.id)
    if (entry.balance > 0n) {
      const coins = [{ denom, amount: entry.balance }]
      undelegateCoins(context, { delegator: pair.delegator, pool: notBondedPool, coins })
      total += entry.balance
    }
    return false
  })
  putUnbonding(context, { ...unbonding, entries: left })
  emit(context, 'complete_unbonding', {
    amount: coinsText(total === 0n ? [] : [{ denom, amount: total }]),
    validator: operatorText(context, pair.operator),
    delegator: accountText(context, pair.delegator),
  })
}

function completeRedelegation(context: Context, move: Move): void {
  const redelegation = findRedelegation(context, move)
  if (redelegation === undefined) return
  const { bondDenom: denom } = stakingParams(context)
  let total = 0n
  const left = redelegation.entries.filter((entry) => {
    if (!isPast(context, entry.completionTime) || entry.onHold > 0n) return true
    deleteUnbondingId(context, entry.id)
    total += entry.initialBalance
    return false
  })
  putRedelegation(context, { ...redelegation, entries: left })
  emit(context, 'complete_redelegation', {
    amount: coinsText(total === 0n ? [] : [{ denom, amount: total }]),
    delegator: accountText(context, move.delegator),
    source_validator: operatorText(context, move.source),
    destination_validator: operatorText(context, move.target),
  })
}
