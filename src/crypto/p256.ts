/** Signature verification on the curve secp256r1. */
import { p256 } from '@noble/curves/nist.js'

/**
 * Returns whether a signature (r and s, 64 bytes) of a 32-byte digest is valid for a public key (x
 * and y, 64 bytes). High s is accepted; coordinates off the curve are never valid (RIP-7212).
 */
export function verifyP256(digest: Uint8Array, signature: Uint8Array, coordinates: Uint8Array): boolean {
  const key = new Uint8Array(65)
  key[0] = 4
  key.set(coordinates, 1)
  try {
    return p256.verify(signature, digest, key, { prehash: false, lowS: false })
  } catch {
    return false
  }
}
