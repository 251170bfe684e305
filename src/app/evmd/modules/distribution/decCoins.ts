/** Amounts with 18 places, as rewards are counted (cosmos-sdk types/dec_coin.go). */
import { decimalText, divideTruncate, multiply, multiplyTruncate, one, truncated } from '../../decimal.ts'
import type { Coin } from '../../coins.ts'
import { addCoinSets } from '../../coinSets.ts'

/** `amount` is an 18-place decimal. */
export type DecCoin = Coin

/** Returns whole coins as decimal ones. */
export function decCoinsOf(coins: readonly Coin[]): readonly DecCoin[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: amount * one }))
}

/** Returns the sum; what is zero is left out. */
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

/** Returns a share, an 18-place decimal, of the coins, the rest cut off. */
export function shareOf(coins: readonly DecCoin[], share: bigint): readonly DecCoin[] {
  return mapped(coins, (amount) => multiplyTruncate(amount, share))
}

/** Returns a share of the coins, rounded. */
export function roundedShareOf(coins: readonly DecCoin[], share: bigint): readonly DecCoin[] {
  return mapped(coins, (amount) => multiply(amount, share))
}

/** Returns what of the coins falls to each of so many, an 18-place decimal, the rest cut off. */
export function perUnit(coins: readonly DecCoin[], units: bigint): readonly DecCoin[] {
  return mapped(coins, (amount) => divideTruncate(amount, units))
}

/** Returns of each denomination the lesser amount. */
export function lesserOf(a: readonly DecCoin[], b: readonly DecCoin[]): readonly DecCoin[] {
  return mapped(a, (amount, denom) => {
    const other = b.find((coin) => coin.denom === denom)?.amount ?? 0n
    return amount < other ? amount : other
  })
}

/** Returns the whole coins and what is left over. */
export function wholeCoins(coins: readonly DecCoin[]): {
  readonly whole: readonly Coin[]
  readonly rest: readonly DecCoin[]
} {
  const whole = mapped(coins, truncated)
  return { whole, rest: subtractDecCoins(coins, decCoinsOf(whole)) }
}

/** Returns `1.500000000000000000atest,…`. */
export function decCoinsText(coins: readonly DecCoin[]): string {
  return coins.map(({ denom, amount }) => `${decimalText(amount)}${denom}`).join(',')
}

function mapped(coins: readonly DecCoin[], change: (amount: bigint, denom: string) => bigint): readonly DecCoin[] {
  return coins
    .map(({ denom, amount }) => ({ denom, amount: change(amount, denom) }))
    .filter(({ amount }) => amount !== 0n)
}
