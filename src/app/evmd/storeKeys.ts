/** Keys of module stores: a prefix byte followed by parts, in the SDK's layout. */
import { toBinaryString } from '../../data/binaryString.ts'
import { concatBytes } from '../../data/bytes.ts'
import type { StoreRange } from '../store.ts'

/** Returns a prefix byte followed by the parts. */
export function storeKey(prefix: number, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = 1
  for (const part of parts) length += part.length
  const key = new Uint8Array(length)
  key[0] = prefix
  let at = 1
  for (const part of parts) {
    key.set(part, at)
    at += part.length
  }
  return key
}

type AddressKey = (address: Uint8Array, name: string) => Uint8Array

/** Blocks use the same few accounts repeatedly. */
const keysMost = 10_000

/** Returns `make` with a cache of its latest keys by name and address. Keys must not be mutated. */
export function keptKeys(make: AddressKey): AddressKey {
  const byName = new Map<string, Map<string, Uint8Array>>()
  let count = 0
  return (address, name) => {
    const at = toBinaryString(address)
    const known = byName.get(name)?.get(at)
    if (known !== undefined) return known
    const key = make(address, name)
    if (count >= keysMost) {
      byName.clear()
      count = 0
    }
    const keys = byName.get(name) ?? new Map<string, Uint8Array>()
    byName.set(name, keys.set(at, key))
    count += 1
    return key
  }
}

/**
 * Returns an address prefixed with its length in one byte; nothing for an empty one (SDK
 * types/address MustLengthPrefix).
 */
export function sized(address: Uint8Array): Uint8Array {
  return address.length === 0 ? address : storeKey(address.length, address)
}

/** Returns a number as eight bytes, big-endian. */
export function bigEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value)
  return bytes
}

/** Returns a number as eight bytes, little-endian. */
export function littleEndian(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** Returns the number in the first eight bytes, big-endian; 0 if there are no bytes. */
export function readBigEndian(bytes: Uint8Array | undefined): bigint {
  if (bytes === undefined || bytes.length < 8) return 0n
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0)
}

/** Returns the range of all keys that begin with a prefix. */
export function prefixRange(prefix: Uint8Array): StoreRange {
  const end = prefix.slice()
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] ?? 0
    if (byte < 255) {
      end[at] = byte + 1
      return { start: prefix, end: end.slice(0, at + 1) }
    }
  }
  return { start: prefix }
}

/** Returns the range from the first key with a prefix up to and including a key. */
export function rangeUpTo(prefix: Uint8Array, last: Uint8Array): StoreRange {
  return { start: prefix, end: concatBytes([last, Uint8Array.of(0)]) }
}
