import { bigIntegerOf } from '../../codec/goIntegers.ts'

/** An amount with a denomination, as the SDK formats and validates it. */
export type Coin = { readonly denom: string; readonly amount: bigint }

/** Returns coins as text, such as `12atest,3foo`; empty if there are none. */
export function coinsText(coins: readonly Coin[]): string {
  const [only] = coins
  if (only !== undefined && coins.length === 1) return `${only.amount}${only.denom}`
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

/** Returns whether all amounts are positive and the denominations valid, sorted and unique. */
export function areValid(coins: readonly Coin[]): boolean {
  return coins.every(({ denom, amount }, index) => {
    const before = coins[index - 1]
    return amount > 0n && isDenom(denom) && (before === undefined || before.denom < denom)
  })
}

/** Returns whether the text is a valid denomination (`types/coin.go`). */
export function isDenom(text: string): boolean {
  if (text === lastDenom) return true
  const isValid = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(text)
  if (isValid) lastDenom = text
  return isValid
}

/** The denomination found valid last: mostly the same one is asked about again. */
let lastDenom: string | undefined

/**
 * Returns the coins of a protobuf message, whose amounts are text; undefined if an amount is not an
 * integer.
 */
export function coinsOf(wire: readonly { denom: string; amount: string }[]): readonly Coin[] | undefined {
  const coins: Coin[] = []
  for (const { denom, amount } of wire) {
    const value = bigIntegerOf(amount)
    if (value === undefined) return undefined
    coins.push({ denom, amount: value })
  }
  return coins
}
