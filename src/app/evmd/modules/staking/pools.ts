/** Tokens that are bonded and tokens that are not, in their module accounts (x/staking pool.go). */
import { moduleAddress } from '../../address.ts'
import type { Context } from '../../context.ts'
import { burnCoins, sendModuleToModule } from '../bank/send.ts'
import { stakingParams } from './params.ts'

export const bondedPool = 'bonded_tokens_pool'
export const notBondedPool = 'not_bonded_tokens_pool'
export const bondedPoolAddress = moduleAddress(bondedPool)

/** Moves tokens out of the bonded pool. */
export function toNotBonded(context: Context, amount: bigint): void {
  const { bondDenom: denom } = stakingParams(context)
  sendModuleToModule(context, { from: bondedPool, to: notBondedPool, coins: coinsOf(denom, amount) })
}

/** Moves tokens into the bonded pool. */
export function toBonded(context: Context, amount: bigint): void {
  const { bondDenom: denom } = stakingParams(context)
  sendModuleToModule(context, { from: notBondedPool, to: bondedPool, coins: coinsOf(denom, amount) })
}

/** Destroys tokens of a pool; of nothing nothing. */
export function burnPool(context: Context, pool: string, amount: bigint): void {
  if (amount <= 0n) return
  burnCoins(context, pool, coinsOf(stakingParams(context).bondDenom, amount))
}

function coinsOf(denom: string, amount: bigint): readonly { denom: string; amount: bigint }[] {
  return amount === 0n ? [] : [{ denom, amount }]
}
