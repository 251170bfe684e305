/** The plain JavaScript implementation: the last fallback, and a third one to compare in tests. */
import { createRequire } from 'node:module'
import type { Curve } from './curve.ts'

/** Returns the JavaScript implementation. */
export function loadNoble(): Curve {
  const { secp256k1 }: typeof import('@noble/curves/secp256k1.js') = createRequire(import.meta.url)(
    '@noble/curves/secp256k1.js',
  )
  return {
    recover: (hash, signature, recovery) =>
      secp256k1.Signature.fromBytes(signature, 'compact')
        .addRecoveryBit(recovery)
        .recoverPublicKey(hash)
        .toBytes(false),
    sign: (hash, key) => {
      const bytes = secp256k1.sign(hash, key, { prehash: false, lowS: true, format: 'recovered' })
      return { signature: bytes.slice(1), recovery: bytes[0] ?? 0 }
    },
    verify: (hash, signature, publicKey) =>
      secp256k1.verify(signature, hash, publicKey, { prehash: false, lowS: true }),
    publicKey: (key, compressed) => secp256k1.getPublicKey(key, compressed),
  }
}
