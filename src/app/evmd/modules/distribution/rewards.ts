/** The rewards of a delegation and their payment (x/distribution keeper/delegation.go). */
import { GoPanic } from '../../../../codec/comet.ts'
import { accountText, operatorText } from '../../address.ts'
import { emit, type Context, withFreeStores } from '../../context.ts'
import { decimalText, multiplyTruncate, one } from '../../decimal.ts'
import { type Coin, coinsText } from '../../coins.ts'
import { sendFromModule } from '../bank/send.ts'
import type { Delegation } from '../staking/delegations.ts'
import { stakingParams } from '../staking/params.ts'
import { tokensOfShares, type Validator } from '../staking/validator.ts'
import { TxError } from '../../txError.ts'
import { addDecCoins, type DecCoin, lesserOf, shareOfCoins, subtractDecCoins, wholeCoins } from './decCoins.ts'
import { endPeriod, release } from './periods.ts'
import {
  communityPool,
  hasStart,
  pastRewards,
  rewardsOf,
  setCommunityPool,
  setRewards,
  setStart,
  slashesBetween,
  startOf,
  withdrawAddress,
} from './store.ts'

/** Returns an error of codespace `distribution`. */
export function distributionError(code: number, text: string): TxError {
  return new TxError(text, { code, codespace: 'distribution' })
}

/** Pays out the rewards of a delegation, ends its earning and returns the coins. */
export function withdrawRewards(context: Context, validator: Validator, delegation: Delegation): readonly Coin[] {
  const { operator, delegator } = delegation
  if (!hasStart(context, delegation)) {
    throw distributionError(5, 'no delegation distribution info')
  }
  const period = endPeriod(context, validator)
  const earned = earnedUntil(context, { validator, delegation, period })
  const outstanding = rewardsOf(context, 'outstanding', operator)
  const rewards = lesserOf(earned, outstanding)
  const { whole, rest } = wholeCoins(rewards)
  if (whole.length > 0) {
    sendFromModule(context, 'distribution', withdrawAddress(context, delegator), whole)
  }
  setRewards(context, 'outstanding', { operator, coins: subtractDecCoins(outstanding, rewards) })
  setCommunityPool(context, addDecCoins(communityPool(context), rest))
  release(context, operator, startOf(context, delegation).previousPeriod)
  setStart(context, delegation, undefined)
  const paid = whole.length > 0 ? whole : [{ denom: baseDenomOf(context), amount: 0n }]
  emit(context, 'withdraw_rewards', {
    amount: coinsText(paid),
    validator: operatorText(context, operator),
    delegator: accountText(context, delegator),
  })
  return paid
}

/** Returns the denomination reported for a payment of zero. As on the node, the lookup is free. */
function baseDenomOf(context: Context): string {
  return stakingParams(withFreeStores(context)).bondDenom
}

/** A delegation with its validator, and the last period to count. */
export type Earning = {
  readonly validator: Validator
  readonly delegation: Delegation
  readonly period: bigint
}

/** Units of the last decimal place by which rounding may leave more than the current value of a stake. */
const roundingMargin = 3n

/**
 * Returns the rewards of a delegation up to the end of a period. Throws `GoPanic`, as the node panics, if
 * records of the genesis contradict each other.
 */
export function earnedUntil(context: Context, { validator, delegation, period }: Earning): readonly DecCoin[] {
  const { operator } = delegation
  const start = startOf(context, delegation)
  const { height } = context.block
  if (start.height === height) return []
  let from = start.previousPeriod
  let { stake } = start
  let earned: readonly DecCoin[] = []
  const between = (to: bigint): readonly DecCoin[] => {
    if (from > to) throw new GoPanic('startingPeriod cannot be greater than endingPeriod')
    if (stake < 0n) throw new GoPanic('stake should not be negative')
    const { ratio: before } = pastRewards(context, operator, from)
    const { ratio: after } = pastRewards(context, operator, to)
    const grown = subtractDecCoins(after, before)
    if (grown.some(({ amount }) => amount < 0n)) throw new GoPanic('negative coin amount')
    return shareOfCoins(grown, stake)
  }
  if (height > start.height) {
    for (const slash of slashesBetween(context, operator, { from: start.height, to: height })) {
      if (slash.period <= from) continue
      earned = addDecCoins(earned, between(slash.period))
      stake = multiplyTruncate(stake, one - slash.fraction)
      from = slash.period
    }
  }
  const worth = tokensOfShares(validator, delegation.shares)
  if (stake > worth + roundingMargin) {
    throw new GoPanic(
      `calculated final stake for delegator ${accountText(context, delegation.delegator)} greater than current stake` +
        `\n\tfinal stake:\t${decimalText(stake)}\n\tcurrent stake:\t${decimalText(worth)}`,
    )
  }
  if (stake > worth) stake = worth
  return addDecCoins(earned, between(period))
}
