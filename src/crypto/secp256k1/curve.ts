/** What an implementation of ECDSA on secp256k1 does; arguments are checked by `secp256k1.ts`. */
export type Curve = {
  /** r‖s → 65 bytes 04‖x‖y; undefined or an exception when no key fits. */
  readonly recover: (hash: Uint8Array, signature: Uint8Array, recovery: number) => Uint8Array | undefined
  /** RFC 6979 with low s. */
  readonly sign: (hash: Uint8Array, key: Uint8Array) => { signature: Uint8Array; recovery: number }
  /** High s is false. An exception counts as false. */
  readonly verify: (hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean
  readonly publicKey: (key: Uint8Array, compressed: boolean) => Uint8Array
}
