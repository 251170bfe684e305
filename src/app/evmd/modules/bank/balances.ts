/** Balances and supply in the store `bank` (cosmos-sdk x/bank keeper). */
import { maxUint256 } from '../../../../codec/goIntegers.ts'
import { GoPanic } from '../../../../codec/comet.ts'
import { textOfUtf8, utf8Of } from '../../../../data/utf8.ts'
import type { StoredForm } from '../../../store.ts'
import type { Context } from '../../context.ts'
import { sized, storeKey, keptKeys } from '../../storeKeys.ts'
import type { Coin } from '../../coins.ts'

/** Returns the balance of an address in a denomination. */
export function getBalance(context: Context, address: Uint8Array, denom: string): bigint {
  return context.store('bank').read(balanceKey(address, denom), decimal) ?? 0n
}

/**
 * Sets a balance and its entry in the index by denomination. As in the SDK, the entry is always
 * written.
 */
export function setBalance(context: Context, address: Uint8Array, { denom, amount }: Coin): void {
  const store = context.store('bank')
  if (amount === 0n) {
    store.delete(denomIndexKey(address, denom))
    store.delete(balanceKey(address, denom))
    return
  }
  store.set(denomIndexKey(address, denom), noBytes)
  store.write(balanceKey(address, denom), amount, decimal)
}

/** Returns all balances of an address by denomination. */
export function allBalances(context: Context, address: Uint8Array): readonly Coin[] {
  const start = balanceKey(address, '')
  const entries = context.store('bank').iterate({ start, end: endOf(start) })
  return [...entries].map(([key, value]) => ({
    denom: textOfUtf8(key.subarray(start.length)),
    amount: decimal.decode(value),
  }))
}

/** Yields every balance, ordered by address, then denomination. */
export function* everyBalance(context: Context): Generator<
  Coin & {
    readonly address: Uint8Array
  }
> {
  const range = { start: Uint8Array.of(2), end: Uint8Array.of(3) }
  for (const [key, value] of context.store('bank').iterate(range)) {
    const end = 2 + (key[1] ?? 0)
    const denom = textOfUtf8(key.subarray(end))
    yield { address: key.slice(2, end), denom, amount: decimal.decode(value) }
  }
}

/** Returns the total supply of a denomination. */
export function getSupply(context: Context, denom: string): bigint {
  return context.store('bank').read(supplyKey(denom), decimal) ?? 0n
}

/**
 * Adds minted coins to the supply. Panics as the node does where the supply grows beyond 256 bits; on a
 * chain whose balances were edited, it may be beyond them already.
 */
export function addSupply(context: Context, { denom, amount }: Coin): void {
  const before = getSupply(context, denom)
  if (before <= maxUint256 && before + amount > maxUint256) throw new GoPanic('integer overflow')
  setSupply(context, { denom, amount: before + amount })
}

/** Sets a balance as an operator does: the supply stays the sum of all balances. */
export function editCoins(context: Context, address: Uint8Array, { denom, amount }: Coin): void {
  const before = getBalance(context, address, denom)
  setBalance(context, address, { denom, amount })
  setSupply(context, { denom, amount: getSupply(context, denom) + amount - before })
}

/** Sets the total supply of a denomination. */
export function setSupply(context: Context, { denom, amount }: Coin): void {
  const store = context.store('bank')
  if (amount === 0n) store.delete(supplyKey(denom))
  else store.write(supplyKey(denom), amount, decimal)
}

/** Returns the supply of every denomination. */
export function totalSupply(context: Context): readonly Coin[] {
  const entries = context.store('bank').iterate({ start: Uint8Array.of(0), end: Uint8Array.of(1) })
  return [...entries].map(([key, value]) => ({ denom: textOfUtf8(key.subarray(1)), amount: decimal.decode(value) }))
}

const decimal = {
  encode: (amount) => utf8Of(amount.toString()),
  decode: (value: Uint8Array) => BigInt(textOfUtf8(value)),
} satisfies StoredForm<bigint>

function supplyKey(denom: string): Uint8Array {
  return storeKey(0, utf8Of(denom))
}

const zero = new Uint8Array(1)
/** Returns the key of a balance of an address. */
export const balanceKey = keptKeys((address, denom) => storeKey(2, sized(address), utf8Of(denom)))
const denomIndexKey = keptKeys((address, denom) => storeKey(3, utf8Of(denom), zero, sized(address)))
const noBytes = new Uint8Array(0)

/** Returns the first key after all keys with a prefix, whose last byte is always below 255 here. */
function endOf(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice()
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] ?? 0
    end[at] = (byte + 1) & 255
    if (byte < 255) return end
  }
  return Uint8Array.of(...prefix, 255)
}
