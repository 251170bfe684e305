/** Moves coins into and out of the staking pools (x/bank DelegateCoins, UndelegateCoins). */
import { accountText } from '../../address.ts'
import { emit, type Context } from '../../context.ts'
import { sdkError } from '../../txError.ts'
import { getAccount, moduleAccount, setAccount } from '../auth/accounts.ts'
import { trackDelegation, trackUndelegation } from '../auth/vesting.ts'
import { getBalance, setBalance } from './balances.ts'
import { areValid, type Coin, coinsText } from '../../coins.ts'
import { addCoins, subtractCoins } from './send.ts'

/** A transfer between a delegator and a pool. The pool is a module name. */
export type PoolTransfer = {
  readonly delegator: Uint8Array
  readonly pool: string
  readonly coins: readonly Coin[]
}

/** Takes coins from a delegator, including locked ones. Throws the SDK's `failed to delegate`. */
export function delegateCoins(context: Context, { delegator, pool, coins }: PoolTransfer): void {
  const { address } = moduleAccount(context, pool)
  getAccount(context, address)
  if (!areValid(coins)) throw sdkError('invalidCoins', coinsText(coins))
  for (const { denom, amount } of coins) {
    const balance = getBalance(context, delegator, denom)
    if (balance < amount) {
      throw sdkError('insufficientFunds', `failed to delegate; ${balance}${denom} is smaller than ${coinsText(coins)}`)
    }
    setBalance(context, delegator, { denom, amount: balance - amount })
  }
  const account = getAccount(context, delegator)
  if (account === undefined) {
    throw sdkError(
      'unknownAddress',
      `failed to track delegation: account ${accountText(context, delegator)} does not exist`,
    )
  }
  if (account.vesting !== undefined) {
    setAccount(context, { ...account, vesting: trackDelegation(context, account.vesting, coins) })
  }
  emit(context, 'coin_spent', { spender: accountText(context, delegator), amount: coinsText(coins) })
  addCoins(context, address, coins)
}

/** Returns coins from a pool to a delegator. */
export function undelegateCoins(context: Context, { delegator, pool, coins }: PoolTransfer): void {
  const { address } = moduleAccount(context, pool)
  getAccount(context, address)
  if (!areValid(coins)) throw sdkError('invalidCoins', coinsText(coins))
  subtractCoins(context, address, coins)
  const account = getAccount(context, delegator)
  if (account?.vesting !== undefined) {
    setAccount(context, { ...account, vesting: trackUndelegation(account.vesting, coins) })
  }
  addCoins(context, delegator, coins)
}
