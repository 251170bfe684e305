/** Reward periods of a validator. A period ends whenever its stake changes (x/distribution F1). */
import { GoPanic } from '../../../../codec/comet.ts'
import { assert } from '../../../../errors.ts'
import type { Context } from '../../context.ts'
import { one } from '../../decimal.ts'
import type { Validator } from '../staking/validator.ts'
import { addDecCoins, perUnit, subtractDecCoins } from './decCoins.ts'
import {
  communityPool,
  currentRewards,
  pastRewards,
  rewardsOf,
  setCommunityPool,
  setCurrentRewards,
  setPastRewards,
  setRewards,
  setSlash,
} from './store.ts'

/** Ends the current period of a validator and returns its number. */
export function endPeriod(context: Context, { operator, tokens }: Validator): bigint {
  const { coins, period } = currentRewards(context, operator)
  if (tokens === 0n) {
    const pool = communityPool(context)
    const outstanding = rewardsOf(context, 'outstanding', operator)
    setCommunityPool(context, addDecCoins(pool, coins))
    setRewards(context, 'outstanding', { operator, coins: subtractDecCoins(outstanding, coins) })
  }
  const earned = tokens === 0n ? [] : perUnit(coins, tokens * one)
  const { ratio } = pastRewards(context, operator, period - 1n)
  release(context, operator, period - 1n)
  setPastRewards(context, operator, { period, ratio: addDecCoins(ratio, earned), references: 1 })
  setCurrentRewards(context, operator, { coins: [], period: period + 1n })
  return period
}

/** Adds a reference to the end of a period, so that it is kept. */
export function retain(context: Context, operator: Uint8Array, period: bigint): void {
  const past = pastRewards(context, operator, period)
  assert(past.references < 2, 'a period has at most two references')
  setPastRewards(context, operator, { ...past, period, references: past.references + 1 })
}

/** Removes a reference to the end of a period. Throws `GoPanic` if the genesis lacked its rewards. */
export function release(context: Context, operator: Uint8Array, period: bigint): void {
  const past = pastRewards(context, operator, period)
  if (past.references === 0) throw new GoPanic('cannot set negative reference count')
  setPastRewards(context, operator, { ...past, period, references: past.references - 1 })
}

/** Records that a validator is slashed in this block. `fraction` is an 18-place decimal. */
export function recordSlash(context: Context, validator: Validator, fraction: bigint): void {
  const period = endPeriod(context, validator)
  retain(context, validator.operator, period)
  setSlash(context, validator.operator, { height: context.block.height, period, event: { period, fraction } })
}
