/** A small world state in maps for EVM tests, and shorthands for environments and transactions. */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import type { EvmAccount, EvmDiff, EvmEnv, EvmRead, EvmTx } from '../../src/evm/types.ts'

export type World = {
  accounts: Map<string, EvmAccount>
  slots: Map<string, Map<string, Uint8Array>>
  codes: Map<string, Uint8Array>
}

/** Returns the bytes of hexadecimal digits, with or without 0x. */
export function hex(digits: string): Uint8Array {
  return hexToBytes(digits.replace(/^0x/, ''))
}

/** Returns lower-case hexadecimal digits without 0x. */
export const toHex = bytesToHex

/** Returns the 32-byte word of a number. */
export function word(value: bigint | number): Uint8Array {
  return hex(BigInt(value).toString(16).padStart(64, '0'))
}

/** Returns the 20-byte address that repeats or pads a short number. */
export function address(value: bigint | number): Uint8Array {
  return word(value).subarray(12)
}

export function emptyWorld(): World {
  return { accounts: new Map(), slots: new Map(), codes: new Map() }
}

/** Puts an account, with its code and slots, into the world. */
export function put(
  world: World,
  at: Uint8Array,
  account: { balance?: bigint; nonce?: bigint; code?: Uint8Array; slots?: [bigint, bigint][] },
): void {
  const code = account.code ?? new Uint8Array()
  const codeHash = keccak_256(code)
  world.codes.set(toHex(codeHash), code)
  world.accounts.set(toHex(at), { balance: account.balance ?? 0n, nonce: account.nonce ?? 0n, codeHash })
  for (const [key, value] of account.slots ?? []) setSlot(world, at, word(key), word(value))
}

export function setSlot(world: World, at: Uint8Array, key: Uint8Array, value: Uint8Array): void {
  const slots = world.slots.get(toHex(at)) ?? new Map<string, Uint8Array>()
  world.slots.set(toHex(at), slots)
  if (value.every((byte) => byte === 0)) slots.delete(toHex(key))
  else slots.set(toHex(key), value)
}

/** Returns the world as an engine reads it. */
export function readOf(world: World): EvmRead {
  return {
    account: (at) => world.accounts.get(toHex(at)),
    slot: (at, key) => world.slots.get(toHex(at))?.get(toHex(key)),
    code: (hash) => world.codes.get(toHex(hash)) ?? new Uint8Array(),
    blockHash: (height) => keccak_256(new TextEncoder().encode(height.toString())),
  }
}

/** Applies a diff to the world. */
export function apply(world: World, diff: EvmDiff): void {
  for (const { address: at, created, destroyed, empty, balance, nonce, codeHash, code, slots } of diff) {
    if (created || destroyed) world.slots.delete(toHex(at))
    if (destroyed || empty) world.accounts.delete(toHex(at))
    else world.accounts.set(toHex(at), { balance, nonce, codeHash })
    if (code !== undefined) world.codes.set(toHex(codeHash), code)
    for (const { key, value } of slots) setSlot(world, at, key, value)
  }
}

export const baseEnv: EvmEnv = {
  fork: 'prague',
  chainId: 1n,
  height: 1n,
  timestampSeconds: 1_000n,
  coinbase: address(0xc0),
  prevRandao: word(0),
  blockGasLimit: 1_000_000_000_000n,
  baseFee: 7n,
  blobBaseFee: 1n,
  relax: {},
  memoryLimitBytes: 1 << 28,
}

const plainTx: EvmTx = {
  type: 2,
  from: address(0xa1),
  to: address(0xb1),
  gasLimit: 1_000_000n,
  gasPrice: 20n,
  priorityFee: 1n,
  value: 0n,
  nonce: 0n,
  data: new Uint8Array(),
  accessList: [],
  authorizations: [],
  blobHashes: [],
  blobFeeCap: 0n,
}

/** Returns a transaction of type 2 with the given parts changed. */
export function txOf(parts: Partial<EvmTx>): EvmTx {
  return { ...plainTx, ...parts }
}
