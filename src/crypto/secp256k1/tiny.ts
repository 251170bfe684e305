/** libsecp256k1 compiled to WebAssembly: what is always installed. */
import { createRequire } from 'node:module'
import type { Curve } from './curve.ts'

/** Returns the WebAssembly implementation; throws where WebAssembly is switched off. */
export function loadTiny(): Curve {
  // Required, not imported, so that it costs nothing at start when the native one is there.
  const tiny: typeof import('tiny-secp256k1') = createRequire(import.meta.url)('tiny-secp256k1')
  return {
    recover: (hash, signature, recovery) => {
      if (recovery !== 0 && recovery !== 1 && recovery !== 2 && recovery !== 3) return undefined
      return tiny.recover(hash, signature, recovery, false) ?? undefined
    },
    sign: (hash, key) => {
      const { signature, recoveryId } = tiny.signRecoverable(hash, key)
      return { signature, recovery: recoveryId }
    },
    verify: (hash, signature, publicKey) => tiny.verify(hash, publicKey, signature, true),
    publicKey: (key, compressed) => {
      const publicKey = tiny.pointFromScalar(key, compressed)
      if (publicKey === null) throw new RangeError('no such point')
      return publicKey
    },
  }
}
