/**
 * Distributes fees and minted coins to validators and the community pool (x/distribution
 * allocation.go).
 */
import type { CommitVote } from '../../../abci.ts'
import { feeCollector, operatorText } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { divideTruncate, one } from '../../decimal.ts'
import { allBalances } from '../bank/balances.ts'
import { sendModuleToModule } from '../bank/send.ts'
import type { Validator } from '../staking/validator.ts'
import { validatorByConsensus } from '../staking/validators.ts'
import {
  addDecCoins,
  type DecCoin,
  decCoinsOf,
  decCoinsText,
  roundedShareOf,
  shareOfCoins,
  subtractDecCoins,
} from './decCoins.ts'
import {
  communityPool,
  currentRewards,
  distributionParams,
  rewardsOf,
  setCommunityPool,
  setCurrentRewards,
  setProposer,
  setRewards,
} from './store.ts'

/**
 * Distributes the fee collector's balance to the validators that signed the previous block, from
 * the second block on. Records the proposer.
 */
export function beginDistribution(context: Context, votes: readonly CommitVote[]): void {
  if (context.block.height > 1n) allocate(context, votes)
  setProposer(context, context.block.proposerAddress)
}

function allocate(context: Context, votes: readonly CommitVote[]): void {
  const collected = allBalances(context, feeCollector)
  sendModuleToModule(context, { from: 'fee_collector', to: 'distribution', coins: collected })
  const pool = communityPool(context)
  const fees = decCoinsOf(collected)
  const total = votes.reduce((sum, { power }) => sum + power, 0n)
  if (total === 0n) return setCommunityPool(context, addDecCoins(pool, fees))
  const toValidators = shareOfCoins(fees, one - distributionParams(context).communityTax)
  let rest = fees
  for (const { address, power } of votes) {
    const validator = validatorByConsensus(context, address)
    // A jump in time may have removed the validator since it signed. Its share goes to the pool.
    if (validator === undefined) continue
    const reward = shareOfCoins(toValidators, divideTruncate(power * one, total * one))
    allocateTo(context, validator, reward)
    rest = subtractDecCoins(rest, reward)
  }
  setCommunityPool(context, addDecCoins(pool, rest))
}

/** Allocates coins to a validator: the commission to itself, the rest to its delegators. */
export function allocateTo(
  context: Context,
  { operator, commission: { rates } }: Validator,
  reward: readonly DecCoin[],
): void {
  const validator = operatorText(context, operator)
  const commission = roundedShareOf(reward, rates.rate)
  emit(context, 'commission', { amount: decCoinsText(commission), validator })
  const before = rewardsOf(context, 'commission', operator)
  setRewards(context, 'commission', { operator, coins: addDecCoins(before, commission) })
  const { coins, period } = currentRewards(context, operator)
  const shared = subtractDecCoins(reward, commission)
  setCurrentRewards(context, operator, { coins: addDecCoins(coins, shared), period })
  emit(context, 'rewards', { amount: decCoinsText(reward), validator })
  const outstanding = rewardsOf(context, 'outstanding', operator)
  setRewards(context, 'outstanding', { operator, coins: addDecCoins(outstanding, reward) })
}
