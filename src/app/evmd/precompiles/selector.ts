import { hexOf } from '../../../codec/hex.ts'
import { keccak256 } from '../../../crypto/hash.ts'

/** Returns the selector of a Solidity signature, as `0x` and eight hex digits. */
export function selectorOfSignature(signature: string): string {
  return hexOf(keccak256(new TextEncoder().encode(signature)).subarray(0, 4))
}
