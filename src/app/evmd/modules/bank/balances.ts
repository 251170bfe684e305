/** Balances and supply in the store `bank` (cosmos-sdk x/bank keeper). */
import { textOfUtf8, utf8Of } from '../../../../data/utf8.ts'
import type { Context } from '../../context.ts'
import { sized, storeKey } from '../../storeKeys.ts'
import type { Coin } from './coins.ts'

/** Returns how much of a denomination an address has. */
export function getBalance(context: Context, address: Uint8Array, denom: string): bigint {
  return numberOf(context.store('bank').get(balanceKey(address, denom)))
}

/** Sets a balance and its entry in the index by denomination, which the SDK writes every time. */
export function setBalance(
  context: Context, address: Uint8Array, { denom, amount }: Coin,
): void {
  const store = context.store('bank')
  if (amount === 0n) {
    store.delete(denomIndexKey(denom, address))
    store.delete(balanceKey(address, denom))
    return
  }
  store.set(denomIndexKey(denom, address), new Uint8Array(0))
  store.set(balanceKey(address, denom), utf8Of(amount.toString()))
}

/** Returns all balances of an address by denomination. */
export function allBalances(context: Context, address: Uint8Array): readonly Coin[] {
  const start = balanceKey(address, '')
  const entries = context.store('bank').iterate({ start, end: endOf(start) })
  return [...entries].map(([key, value]) => (
    { denom: textOfUtf8(key.subarray(start.length)), amount: numberOf(value) }
  ))
}

/** Yields every balance: by address, then denomination. */
export function* everyBalance(context: Context): Generator<Coin & {
  readonly address: Uint8Array
}> {
  const range = { start: Uint8Array.of(2), end: Uint8Array.of(3) }
  for (const [key, value] of context.store('bank').iterate(range)) {
    const end = 2 + (key[1] ?? 0)
    const denom = textOfUtf8(key.subarray(end))
    yield { address: key.slice(2, end), denom, amount: numberOf(value) }
  }
}

/** Returns how much of a denomination there is. */
export function getSupply(context: Context, denom: string): bigint {
  return numberOf(context.store('bank').get(supplyKey(denom)))
}

/** Sets how much of a denomination there is. */
export function setSupply(context: Context, { denom, amount }: Coin): void {
  const store = context.store('bank')
  if (amount === 0n) store.delete(supplyKey(denom))
  else store.set(supplyKey(denom), utf8Of(amount.toString()))
}

/** Returns the supply of every denomination. */
export function totalSupply(context: Context): readonly Coin[] {
  const entries = context.store('bank').iterate({ start: Uint8Array.of(0), end: Uint8Array.of(1) })
  return [...entries].map(([key, value]) => (
    { denom: textOfUtf8(key.subarray(1)), amount: numberOf(value) }
  ))
}

function numberOf(value: Uint8Array | undefined): bigint {
  return value === undefined ? 0n : BigInt(textOfUtf8(value))
}

function supplyKey(denom: string): Uint8Array {
  return storeKey(0, utf8Of(denom))
}

function balanceKey(address: Uint8Array, denom: string): Uint8Array {
  return storeKey(2, sized(address), utf8Of(denom))
}

function denomIndexKey(denom: string, address: Uint8Array): Uint8Array {
  return storeKey(3, utf8Of(denom), zero, sized(address))
}

const zero = new Uint8Array(1)

/** Returns the first key after all that begin with a prefix (whose last byte is below 255 here). */
function endOf(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice()
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] ?? 0
    end[at] = (byte + 1) & 255
    if (byte < 255) return end
  }
  return Uint8Array.of(...prefix, 255)
}
