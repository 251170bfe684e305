/** Sums of coins by denomination, sorted, without zeros (cosmos-sdk types/coin.go Coins). */
import type { Coin } from './coins.ts'

/** Returns the sum of two sets of coins. */
export function addCoinSets(a: readonly Coin[], b: readonly Coin[]): readonly Coin[] {
  const [one, other] = [a[0], b[0]]
  if (a.length === 1 && b.length === 1 && one?.denom === other?.denom) {
    const sum = (one?.amount ?? 0n) + (other?.amount ?? 0n)
    return sum === 0n ? [] : [{ denom: one?.denom ?? '', amount: sum }]
  }
  const totals = new Map<string, bigint>()
  for (const { denom, amount } of [...a, ...b]) {
    totals.set(denom, (totals.get(denom) ?? 0n) + amount)
  }
  return [...totals]
    .filter(([, amount]) => amount !== 0n)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([denom, amount]) => ({ denom, amount }))
}

/** Returns the difference, or undefined if any amount would be negative. */
export function subtractCoinSets(a: readonly Coin[], b: readonly Coin[]): readonly Coin[] | undefined {
  const left = addCoinSets(
    a,
    b.map(({ denom, amount }) => ({ denom, amount: -amount })),
  )
  return left.some(({ amount }) => amount < 0n) ? undefined : left
}

/** Returns the amount of a denomination. */
export function amountOf(coins: readonly Coin[], denom: string): bigint {
  return coins.find((coin) => coin.denom === denom)?.amount ?? 0n
}

/** Returns whether `coins` holds at least the needed amount of every denomination. */
export function covers(coins: readonly Coin[], needed: readonly Coin[]): boolean {
  return needed.every(({ denom, amount }) => amountOf(coins, denom) >= amount)
}
