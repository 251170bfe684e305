/** Precompile 0x100: verifies a secp256r1 signature (RIP-7212). */
import { verifyP256 } from '../../../crypto/p256.ts'
import type { PlainFunction } from './precompile.ts'

const nothing = new Uint8Array(0)
const inputLength = 160

/**
 * The input is digest, r, s, x and y, 32 bytes each. The output is 1 as a word, or empty if
 * invalid.
 */
export const p256Precompile: PlainFunction = {
  kind: 'plain',
  gas: 3_450n,
  run: (input) => {
    if (input.length !== inputLength) return nothing
    const digest = input.subarray(0, 32)
    const isGood = verifyP256(digest, input.subarray(32, 96), input.subarray(96))
    if (!isGood) return nothing
    const word = new Uint8Array(32)
    word[31] = 1
    return word
  },
}
