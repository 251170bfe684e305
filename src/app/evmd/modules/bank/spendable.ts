/** What an account may send: its balance but for what is locked (x/bank SpendableCoin). */
import type { Context } from '../../context.ts'
import { type Account, getAccount } from '../auth/accounts.ts'
import { lockedCoins } from '../auth/vesting.ts'
import { getBalance } from './balances.ts'
import { amountOf } from '../../coinSets.ts'

/** Returns how much of a denomination an address may send. */
export function getSpendable(context: Context, address: Uint8Array, denom: string): bigint {
  const balance = getBalance(context, address, denom)
  return spendableOf(context, getAccount(context, address), { denom, amount: balance })
}

/** Returns how much of a balance an account may send. */
export function spendableOf(
  context: Pick<Context, 'block'>,
  account: Account | undefined,
  { denom, amount }: { readonly denom: string; readonly amount: bigint },
): bigint {
  const locked = amountOf(lockedCoins(context, account?.vesting), denom)
  return amount > locked ? amount - locked : 0n
}
