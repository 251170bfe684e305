/** Amounts with a denomination, as the SDK spells and checks them. */
export type Coin = { readonly denom: string; readonly amount: bigint }

/** Returns `12atest,3foo`; of no coins the empty text. */
export function coinsText(coins: readonly Coin[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

/** Returns whether amounts are positive and denominations valid, sorted and each there once. */
export function areValid(coins: readonly Coin[]): boolean {
  return coins.every(({ denom, amount }, index) => {
    const before = coins[index - 1]
    return amount > 0n && isDenom(denom) && (before === undefined || before.denom < denom)
  })
}

/** Returns whether the text is a denomination (`types/coin.go`). */
export function isDenom(text: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(text)
}

/**
 * Returns the coins that protobuf messages hold as text; undefined when an amount is no integer.
 */
export function coinsOf(wire: readonly { denom: string; amount: string }[]): readonly Coin[] | undefined {
  if (wire.some(({ amount }) => !/^-?\d+$/.test(amount))) return undefined
  return wire.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }))
}
