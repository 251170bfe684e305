/**
 * The wei of accounts beyond whole coins of x/bank, in the store `precisebank` (cosmos/evm x/precisebank). A
 * reserve, the module's own account, holds the whole coins that they make together with a remainder, which
 * belongs to nobody.
 */
import { equalBytes } from '../../../../data/bytes.ts'
import { textOfUtf8, utf8Of } from '../../../../data/utf8.ts'
import type { StoredForm } from '../../../store.ts'
import { reserve } from '../../address.ts'
import type { Context } from '../../context.ts'
import { storeKey } from '../../storeKeys.ts'
import type { EvmCoin } from '../../../evmCoin.ts'

const fractionPrefix = 1
const remainderKey = storeKey(2)

/** Returns the wei of an account beyond whole coins. With 18 decimals there are none, and nothing is read. */
export function getFraction(context: Context, address: Uint8Array, { factor }: EvmCoin): bigint {
  return factor === 1n ? 0n : (context.store('precisebank').read(fractionKey(address), integer) ?? 0n)
}

/** Sets the wei of an account beyond whole coins. */
export function setFraction(context: Context, address: Uint8Array, { factor }: EvmCoin, wei: bigint): void {
  if (factor !== 1n) setInteger(context, fractionKey(address), wei)
}

/** Returns the wei of the reserve that belong to nobody. */
export function getRemainder(context: Context, { factor }: EvmCoin): bigint {
  return factor === 1n ? 0n : (context.store('precisebank').read(remainderKey, integer) ?? 0n)
}

/** Sets the wei of the reserve that belong to nobody. */
export function setRemainder(context: Context, { factor }: EvmCoin, wei: bigint): void {
  if (factor !== 1n) setInteger(context, remainderKey, wei)
}

function setInteger(context: Context, key: Uint8Array, amount: bigint): void {
  const store = context.store('precisebank')
  if (amount === 0n) store.delete(key)
  else store.write(key, amount, integer)
}

/**
 * Returns an account's balance in wei, of which x/bank holds `whole` coins. The EVM does not see the reserve,
 * because its coins are those of others' fractions.
 */
export function weiOf(context: Context, address: Uint8Array, coin: EvmCoin, whole: bigint): bigint {
  if (coin.factor === 1n) return whole
  return equalBytes(address, reserve) ? 0n : whole * coin.factor + getFraction(context, address, coin)
}

/** Returns the key of an account's fraction. */
export function fractionKey(address: Uint8Array): Uint8Array {
  return storeKey(fractionPrefix, address)
}

/** Returns the address in the key of a fraction; undefined for another key. */
export function holderOfFraction(key: Uint8Array): Uint8Array | undefined {
  return key[0] === fractionPrefix ? key.slice(1) : undefined
}

const integer = {
  encode: (amount) => utf8Of(amount.toString()),
  decode: (value: Uint8Array) => BigInt(textOfUtf8(value)),
} satisfies StoredForm<bigint>
