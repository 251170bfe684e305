/** Code, storage and parameters in the store `evm` (cosmos-evm-rpc.md §9.1). */
import { vmParams, type VmParams } from '../../../../codec/messages/cosmosEvm.ts'
import { keccak256 } from '../../../../crypto/hash.ts'
import { equalBytes } from '../../../../data/bytes.ts'
import { remembered } from '../../../../data/remembered.ts'
import type { Context } from '../../context.ts'
import { keptKeys, storeKey } from '../../storeKeys.ts'

const prefix = { code: 1, storage: 2, params: 3, codeHash: 4 } as const

/** keccak256 of empty input: the code hash of an account without code. */
export const emptyCodeHash = keccak256(new Uint8Array(0))

const noBytes = new Uint8Array(0)
const paramsKey = storeKey(prefix.params)
const paramsOf = remembered((stored: Uint8Array): VmParams => vmParams.decode(stored))

/** Returns the parameters of x/vm. */
export function getEvmParams(context: Context): VmParams {
  return paramsOf(context.store('evm').get(paramsKey) ?? noBytes)
}

/** Stores the parameters of x/vm. */
export function setEvmParams(context: Context, params: VmParams): void {
  context.store('evm').set(storeKey(prefix.params), vmParams.encode(params))
}

const codeHashKeys = keptKeys((address) => storeKey(prefix.codeHash, address))

/** Returns the key of the code hash of an address. */
export function codeHashKey(address: Uint8Array): Uint8Array {
  return codeHashKeys(address, '')
}

/** Returns the key of the code with a hash. */
export function codeKey(hash: Uint8Array): Uint8Array {
  return storeKey(prefix.code, hash)
}

/** Returns the key of a storage word. */
export function slotKey(address: Uint8Array, slot: Uint8Array): Uint8Array {
  return storeKey(prefix.storage, address, slot)
}

/** Returns the code hash of an address, 32 bytes. */
export function getCodeHash(context: Context, address: Uint8Array): Uint8Array {
  return context.store('evm').get(codeHashKey(address)) ?? emptyCodeHash
}

/** Sets the code hash of an address. The hash of empty code is not stored. */
export function setCodeHash(context: Context, address: Uint8Array, hash: Uint8Array): void {
  const store = context.store('evm')
  if (equalBytes(hash, emptyCodeHash)) store.delete(codeHashKey(address))
  else store.set(codeHashKey(address), hash)
}

/** Returns the code with a hash; empty if the hash is unknown. */
export function getCode(context: Context, hash: Uint8Array): Uint8Array {
  return context.store('evm').get(codeKey(hash)) ?? new Uint8Array(0)
}

/** Yields every code that was stored, each once. */
export function* allCodes(context: Context): Generator<Uint8Array> {
  const [start, end] = [storeKey(prefix.code), storeKey(prefix.code + 1)]
  for (const [, code] of context.store('evm').iterate({ start, end })) yield code
}

/** Stores code by its hash. Code outlives its contract, because others may share it. */
export function setCode(context: Context, hash: Uint8Array, code: Uint8Array): void {
  if (code.length > 0) context.store('evm').set(codeKey(hash), code)
}

/** Returns a storage word, 32 bytes, or undefined if it was never written. */
export function getSlot(context: Context, address: Uint8Array, slot: Uint8Array): Uint8Array | undefined {
  return context.store('evm').get(slotKey(address, slot))
}

/**
 * Sets a storage word. As on the node, zeros are stored for a slot that was written before (v0.5.0
 * StateDB commit).
 */
export function setSlot(context: Context, address: Uint8Array, entry: { key: Uint8Array; value: Uint8Array }): void {
  context.store('evm').set(slotKey(address, entry.key), entry.value)
}

/** Deletes a storage word of a deleted contract. */
export function deleteSlot(context: Context, address: Uint8Array, slot: Uint8Array): void {
  context.store('evm').delete(slotKey(address, slot))
}

/** Returns the storage of an address: slots with their words. */
export function allSlots(context: Context, address: Uint8Array): readonly { key: Uint8Array; value: Uint8Array }[] {
  const start = storeKey(prefix.storage, address, new Uint8Array(32))
  const end = storeKey(prefix.storage, address, new Uint8Array(33).fill(255))
  const entries = context.store('evm').iterate({ start, end })
  return [...entries].map(([at, value]) => ({ key: at.slice(21), value }))
}
