/** Addresses of contracts before they exist. */
import { encodeRlp, rlpInteger } from '../codec/rlp.ts'
import { concatBytes } from '../data/bytes.ts'
import { keccak256 } from './hash.ts'

/** Returns the address that CREATE gives a contract of the creator, at the creator's nonce. */
export function createdAddress(creator: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(encodeRlp([creator, rlpInteger(nonce)])).slice(12)
}

/** Returns the address that CREATE2 gives (EIP-1014); `salt` has 32 bytes. */
export function saltedAddress(creator: Uint8Array, salt: Uint8Array, initCode: Uint8Array): Uint8Array {
  const parts = [Uint8Array.of(0xff), creator, salt, keccak256(initCode)]
  return keccak256(concatBytes(parts)).slice(12)
}
