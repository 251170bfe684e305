import { keccakOfText } from '../../../crypto/hash.ts'
import { hexOf } from '../../../codec/hex.ts'

/** Returns the selector of a Solidity signature, as `0x` and eight hex digits. */
export function selectorOfSignature(signature: string): string {
  return hexOf(keccakOfText(signature).subarray(0, 4))
}
