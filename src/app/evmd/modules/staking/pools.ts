/** The module accounts of bonded and of unbonded tokens (x/staking pool.go). */
import { moduleAddress } from '../../address.ts'
import type { Context } from '../../context.ts'
import { burnCoins, sendModuleToModule } from '../bank/send.ts'
import { stakingParams } from './params.ts'

export const bondedPool = 'bonded_tokens_pool'
export const notBondedPool = 'not_bonded_tokens_pool'
export const bondedPoolAddress = moduleAddress(bondedPool)

/** Moves tokens from the bonded to the unbonded pool. */
export function toNotBonded(context: Context, amount: bigint): void {
  const { bondDenom: denom } = stakingParams(context)
  sendModuleToModule(context, { from: bondedPool, to: notBondedPool, coins: coinsOf(denom, amount) })
}

/** Moves tokens from the unbonded to the bonded pool. */
export function toBonded(context: Context, amount: bigint): void {
  const { bondDenom: denom } = stakingParams(context)
  sendModuleToModule(context, { from: notBondedPool, to: bondedPool, coins: coinsOf(denom, amount) })
}

/** Burns tokens of a pool. Does nothing if the amount is 0. */
export function burnPool(context: Context, pool: string, amount: bigint): void {
  if (amount <= 0n) return
  burnCoins(context, pool, coinsOf(stakingParams(context).bondDenom, amount))
}

function coinsOf(denom: string, amount: bigint): readonly { denom: string; amount: bigint }[] {
  return amount === 0n ? [] : [{ denom, amount }]
}
