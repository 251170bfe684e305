/** Spendable balances: the balance without locked coins (x/bank SpendableCoin). */
import type { Context } from '../../context.ts'
import { type Account, getAccount } from '../auth/accounts.ts'
import { lockedCoins } from '../auth/vesting.ts'
import { getBalance } from './balances.ts'
import { amountOf } from '../../coinSets.ts'

/** Returns the spendable balance of an address in a denomination. */
export function getSpendable(context: Context, address: Uint8Array, denom: string): bigint {
  const balance = getBalance(context, address, denom)
  return spendableOf(context, getAccount(context, address), { denom, amount: balance })
}

/** Returns the spendable part of an account's balance. */
export function spendableOf(
  context: Pick<Context, 'block'>,
  account: Account | undefined,
  { denom, amount }: { readonly denom: string; readonly amount: bigint },
): bigint {
  const locked = amountOf(lockedCoins(context, account?.vesting), denom)
  return amount > locked ? amount - locked : 0n
}
