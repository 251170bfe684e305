/** The optional native package (libsecp256k1), four times as fast as WebAssembly. */
import { createRequire } from 'node:module'
import type { Curve } from './curve.ts'

/** The functions used from the package `secp256k1`, which has no types. */
type Package = {
  ecdsaRecover: (signature: Uint8Array, recovery: number, hash: Uint8Array, compressed: boolean) => Uint8Array
  ecdsaSign: (hash: Uint8Array, key: Uint8Array) => { signature: Uint8Array; recid: number }
  ecdsaVerify: (signature: Uint8Array, hash: Uint8Array, publicKey: Uint8Array) => boolean
  publicKeyCreate: (key: Uint8Array, compressed: boolean) => Uint8Array
}

/**
 * Returns the native implementation. Throws if it is not installed or not built for this machine.
 * The binding is loaded by name, because the package's index silently falls back to a slow one.
 */
export function loadNative(): Curve {
  const native: Package = createRequire(import.meta.url)('secp256k1/bindings.js')
  return {
    recover: (hash, signature, recovery) => native.ecdsaRecover(signature, recovery, hash, false),
    sign: (hash, key) => {
      const { signature, recid } = native.ecdsaSign(hash, key)
      return { signature, recovery: recid }
    },
    verify: (hash, signature, publicKey) => native.ecdsaVerify(signature, hash, publicKey),
    publicKey: (key, compressed) => native.publicKeyCreate(key, compressed),
  }
}
