/** Computes the addresses that CREATE and CREATE2 give to contracts. */
import { encodeRlp, rlpInteger } from '../codec/rlp.ts'
import { concatBytes } from '../data/bytes.ts'
import { keccak256 } from './hash.ts'

/** Returns the address of a contract created with CREATE at the creator's nonce. */
export function createdAddress(creator: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(encodeRlp([creator, rlpInteger(nonce)])).slice(12)
}

/** Returns the address of a contract created with CREATE2 (EIP-1014); `salt` has 32 bytes. */
export function saltedAddress(creator: Uint8Array, salt: Uint8Array, initCode: Uint8Array): Uint8Array {
  const parts = [Uint8Array.of(0xff), creator, salt, keccak256(initCode)]
  return keccak256(concatBytes(parts)).slice(12)
}
