/** Coins with 18-place decimal amounts, used for rewards (cosmos-sdk types/dec_coin.go). */
import { decimalText, divideTruncate, multiply, multiplyTruncate, one, truncated } from '../../decimal.ts'
import type { Coin } from '../../coins.ts'
import { addCoinSets } from '../../coinSets.ts'

/** `amount` is an 18-place decimal. */
export type DecCoin = Coin

/** Returns whole coins as decimal coins. */
export function decCoinsOf(coins: readonly Coin[]): readonly DecCoin[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: amount * one }))
}

/** Returns the sum, without zero amounts. */
export function addDecCoins(a: readonly DecCoin[], b: readonly DecCoin[]): readonly DecCoin[] {
  return addCoinSets(a, b)
}

/** Returns the difference. */
export function subtractDecCoins(a: readonly DecCoin[], b: readonly DecCoin[]): readonly DecCoin[] {
  return addDecCoins(
    a,
    b.map(({ denom, amount }) => ({ denom, amount: -amount })),
  )
}

/** Returns a share of the coins, truncated. `share` is an 18-place decimal. */
export function shareOfCoins(coins: readonly DecCoin[], share: bigint): readonly DecCoin[] {
  return mapped(coins, (amount) => multiplyTruncate(amount, share))
}

/** Returns a share of the coins, rounded. */
export function roundedShareOf(coins: readonly DecCoin[], share: bigint): readonly DecCoin[] {
  return mapped(coins, (amount) => multiply(amount, share))
}

/** Returns the coins divided by a number of units, truncated. `units` is an 18-place decimal. */
export function perUnit(coins: readonly DecCoin[], units: bigint): readonly DecCoin[] {
  return mapped(coins, (amount) => divideTruncate(amount, units))
}

/** Returns the lesser amount of each denomination. */
export function lesserOf(a: readonly DecCoin[], b: readonly DecCoin[]): readonly DecCoin[] {
  return mapped(a, (amount, denom) => {
    const other = b.find((coin) => coin.denom === denom)?.amount ?? 0n
    return amount < other ? amount : other
  })
}

/** Returns the whole coins and the remainder. */
export function wholeCoins(coins: readonly DecCoin[]): {
  readonly whole: readonly Coin[]
  readonly rest: readonly DecCoin[]
} {
  const whole = mapped(coins, truncated)
  return { whole, rest: subtractDecCoins(coins, decCoinsOf(whole)) }
}

/** Returns coins as text, such as `1.500000000000000000atest,…`. */
export function decCoinsText(coins: readonly DecCoin[]): string {
  return coins.map(({ denom, amount }) => `${decimalText(amount)}${denom}`).join(',')
}

function mapped(coins: readonly DecCoin[], change: (amount: bigint, denom: string) => bigint): readonly DecCoin[] {
  return coins
    .map(({ denom, amount }) => ({ denom, amount: change(amount, denom) }))
    .filter(({ amount }) => amount !== 0n)
}
