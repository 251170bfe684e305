/** The application's state in one map: pairs, validators and the number of transactions. */
import {
  finishWire,
  lengthPrefixed,
  varint,
  wireWriter,
  writeBytes,
  writeRaw,
  writeTag,
} from '../../codec/protobuf/wire.ts'
import { fromBinaryString, toBinaryString } from '../../data/binaryString.ts'
import { mapDelete, mapEntries, mapGet, mapSet } from '../../data/persistentMap.ts'
import { writeVarint } from '../../data/varint.ts'
import type { ValidatorUpdate } from '../abci.ts'
import type { AppState, Overlay } from '../state.ts'
import { keyNamed, powerKey, validatorPrefix, type Powers } from './validatorTx.ts'

const pairPrefix = 'kvPairKey:'
const sizeKey = 'stateKey'

/** Returns the value of a key, or undefined. */
export function pairAt({ edits }: AppState, key: Uint8Array): Uint8Array | undefined {
  return mapGet(edits, pairPrefix + toBinaryString(key)) ?? undefined
}

/** Returns the map with a pair set; both are binary strings. */
export function withPair(edits: Overlay, key: string, value: string): Overlay {
  return mapSet(edits, pairPrefix + key, fromBinaryString(value))
}

/** Returns the number of executed transactions. */
export function sizeOf({ edits }: AppState): number {
  return Number(new TextDecoder().decode(mapGet(edits, sizeKey) ?? undefined) || '0')
}

/** Returns the map with the number of transactions set. */
export function withSize(edits: Overlay, size: number): Overlay {
  return mapSet(edits, sizeKey, new TextEncoder().encode(size.toString()))
}

/** Returns the app hash: the number of transactions as Go's signed varint, in eight bytes. */
export function hashOfSize(size: number): Uint8Array {
  const hash = new Uint8Array(8)
  writeVarint(hash, 0, size)
  return hash
}

/**
 * Returns the response of `/val` for a validator: a length and a `ValidatorUpdate`; undefined if
 * there is none.
 */
export function validatorAt({ edits }: AppState, key: Uint8Array): Uint8Array | undefined {
  return mapGet(edits, validatorPrefix + toBinaryString(key)) ?? undefined
}

/** Returns the map with a validator added, changed or, at power 0, removed. */
export function withValidator(edits: Overlay, { publicKey, power }: ValidatorUpdate): Overlay {
  const name = validatorPrefix + powerKey(publicKey)
  if (power === 0n) return mapDelete(edits, name)
  const key = wireWriter()
  writeTag(key, publicKey.type === 'ed25519' ? 1 : 2, 2)
  writeBytes(key, publicKey.bytes)
  const update = wireWriter()
  writeTag(update, 1, 2)
  writeBytes(update, finishWire(key))
  writeTag(update, 2, 0)
  writeRaw(update, varint(power))
  return mapSet(edits, name, lengthPrefixed(finishWire(update)))
}

/** Returns every validator's power, decoded from the responses of `/val`. */
export function powersOf({ edits }: AppState): Powers {
  const powers = new Map<string, bigint>()
  for (const [name, value] of mapEntries(edits, { start: validatorPrefix, end: 'val>' })) {
    if (value === null) continue
    const key = name.slice(validatorPrefix.length)
    powers.set(key, powerIn(value, keyNamed(key).bytes.length))
  }
  return powers
}

/**
 * Returns the power, which comes last: after a length, two tags with lengths, the key and its own
 * tag.
 */
function powerIn(value: Uint8Array, keyLength: number): bigint {
  return value.subarray(keyLength + 6).reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 0x7f), 0n)
}
