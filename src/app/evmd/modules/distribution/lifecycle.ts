/** Starts and ends the rewards of validators and delegations (x/distribution hooks.go). */
import type { Context } from '../../context.ts'
import { sendFromModule } from '../bank/send.ts'
import { getDelegation, type DelegationPair } from '../staking/delegations.ts'
import { tokensOfSharesTruncated, type Validator } from '../staking/validator.ts'
import { getValidator } from '../staking/validators.ts'
import { addDecCoins, subtractDecCoins, wholeCoins } from './decCoins.ts'
import { retain } from './periods.ts'
import {
  communityPool,
  currentRewards,
  deleteRewards,
  rewardsOf,
  setCommunityPool,
  setCurrentRewards,
  setPastRewards,
  setRewards,
  setStart,
  withdrawAddress,
} from './store.ts'

/** Starts the first reward period of a validator. */
export function initializeValidator(context: Context, { operator }: Validator): void {
  setPastRewards(context, operator, { period: 0n, ratio: [], references: 1 })
  setCurrentRewards(context, operator, { coins: [], period: 1n })
  setRewards(context, 'commission', { operator, coins: [] })
  setRewards(context, 'outstanding', { operator, coins: [] })
}

/** Starts a delegation's rewards with the period that begins now. */
export function initializeDelegation(context: Context, pair: DelegationPair): void {
  const previousPeriod = currentRewards(context, pair.operator).period - 1n
  retain(context, pair.operator, previousPeriod)
  const validator = getValidator(context, pair.operator)
  const { shares } = getDelegation(context, pair)
  const stake = tokensOfSharesTruncated(validator, shares)
  setStart(context, pair, { previousPeriod, stake, height: context.block.height })
}

/**
 * Pays a removed validator's commission, moves the remaining rewards to the community pool, and
 * deletes its records.
 */
export function settleRemovedValidator(context: Context, operator: Uint8Array): void {
  let outstanding = rewardsOf(context, 'outstanding', operator)
  const commission = rewardsOf(context, 'commission', operator)
  if (commission.length > 0) {
    outstanding = subtractDecCoins(outstanding, commission)
    const { whole, rest } = wholeCoins(commission)
    setCommunityPool(context, addDecCoins(communityPool(context), rest))
    if (whole.length > 0) {
      sendFromModule(context, 'distribution', withdrawAddress(context, operator), whole)
    }
  }
  setCommunityPool(context, addDecCoins(communityPool(context), outstanding))
  deleteRewards(context, operator)
}
