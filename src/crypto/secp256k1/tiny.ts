/** libsecp256k1 compiled to WebAssembly, which is always installed. */
import { createRequire } from 'node:module'
import type { Curve } from './curve.ts'

/** Returns the WebAssembly implementation. Throws if WebAssembly is disabled. */
export function loadTiny(): Curve {
  // Loaded with require instead of import, so it costs nothing at startup if the native one exists.
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
