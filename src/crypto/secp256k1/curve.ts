/** An implementation of ECDSA on secp256k1; `secp256k1.ts` checks the arguments. */
export type Curve = {
  /** Returns 65 bytes 04‖x‖y from r‖s; returns undefined or throws if no key matches. */
  readonly recover: (hash: Uint8Array, signature: Uint8Array, recovery: number) => Uint8Array | undefined
  /** Returns the deterministic signature with low s (RFC 6979). */
  readonly sign: (hash: Uint8Array, key: Uint8Array) => { signature: Uint8Array; recovery: number }
  /** Returns whether the signature is valid; high s is rejected. An exception counts as false. */
  readonly verify: (hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean
  readonly publicKey: (key: Uint8Array, compressed: boolean) => Uint8Array
}
