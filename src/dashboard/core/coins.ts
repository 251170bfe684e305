/** Formats coins of Cosmos for people. */
import { units } from './format.ts'
import { status } from './live.ts'
import type { Coin } from './tokenShapes.ts'

/** Returns a coin with its symbol if it is the chain's own, else with its denom in base units. */
export function coinText({ amount, denom }: Coin): string {
  const known = status.value?.coin
  return known?.base === denom ? `${units(amount, known.decimals)} ${known.symbol}` : `${amount} ${denom}`
}
