/** Signature verification on the curve secp256r1. */
import { createRequire } from 'node:module'

type Curves = typeof import('@noble/curves/nist.js')

let loaded: Curves | undefined

/** Returns the curve. Few contracts use it, so a start does not read it. */
function curve(): Curves['p256'] {
  loaded ??= createRequire(import.meta.url)('@noble/curves/nist.js') as Curves
  return loaded.p256
}

/**
 * Returns whether a signature (r and s, 64 bytes) of a 32-byte digest is valid for a public key (x
 * and y, 64 bytes). High s is accepted; coordinates off the curve are never valid (RIP-7212).
 */
export function verifyP256(digest: Uint8Array, signature: Uint8Array, coordinates: Uint8Array): boolean {
  const key = new Uint8Array(65)
  key[0] = 4
  key.set(coordinates, 1)
  const p256 = curve()
  try {
    return p256.verify(signature, digest, key, { prehash: false, lowS: false })
  } catch {
    return false
  }
}
