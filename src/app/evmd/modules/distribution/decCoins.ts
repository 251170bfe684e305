/** Amounts with 18 places, as rewards are counted (cosmos-sdk types/dec_coin.go). */
import { message, nested, repeated, text } from '../../../../codec/protobuf/message.ts'
import { decimalText, multiply, multiplyTruncate } from '../../decimal.ts'

export type DecCoin = { readonly denom: string; readonly amount: bigint }

type Wire = { denom: string; amount: string }

const wire = message<Wire>({ 1: ['denom', text], 2: ['amount', text] })

/** Codec of a message whose field 1 is a list of such coins: fee pool, commission, outstanding rewards. */
const listed = message<{ coins: readonly (Wire | undefined)[] }>({ 1: ['coins', repeated(nested(wire))] })

/** Returns the bytes of a message that holds the coins in field 1. */
export function encodeDecCoins(coins: readonly DecCoin[]): Uint8Array {
  return listed.encode({
    coins: coins.map(({ denom, amount }) => ({ denom, amount: amount.toString() })),
  })
}

/** Returns the coins in field 1 of a message; of no bytes none. */
export function decodeDecCoins(bytes: Uint8Array | undefined): readonly DecCoin[] {
  if (bytes === undefined) return []
  return listed.decode(bytes).coins.flatMap((coin) => (
    coin === undefined ? [] : [{ denom: coin.denom, amount: BigInt(coin.amount) }]
  ))
}

/** Returns the sum; what is zero is left out. */
export function addDecCoins(a: readonly DecCoin[], b: readonly DecCoin[]): readonly DecCoin[] {
  const totals = new Map<string, bigint>()
  for (const { denom, amount } of [...a, ...b]) {
    totals.set(denom, (totals.get(denom) ?? 0n) + amount)
  }
  return [...totals].filter(([, amount]) => amount !== 0n)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([denom, amount]) => ({ denom, amount }))
}

/** Returns the difference. */
export function subtractDecCoins(a: readonly DecCoin[], b: readonly DecCoin[]): readonly DecCoin[] {
  return addDecCoins(a, b.map(({ denom, amount }) => ({ denom, amount: -amount })))
}

/** Returns a share, the rest cut off. */
export function shareOf(coins: readonly DecCoin[], share: bigint): readonly DecCoin[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: multiplyTruncate(amount, share) }))
    .filter(({ amount }) => amount !== 0n)
}

/** Returns a share, rounded. */
export function roundedShareOf(coins: readonly DecCoin[], share: bigint): readonly DecCoin[] {
  return coins.map(({ denom, amount }) => ({ denom, amount: multiply(amount, share) }))
    .filter(({ amount }) => amount !== 0n)
}

/** Returns `1.500000000000000000atest,…`. */
export function decCoinsText(coins: readonly DecCoin[]): string {
  return coins.map(({ denom, amount }) => `${decimalText(amount)}${denom}`).join(',')
}
