/**
 * ECDSA on secp256k1, which Ethereum and Cosmos transactions use. Hashes and private keys have 32
 * bytes, signatures 64 (r‖s), public keys 33 (compressed) or 65 (04‖x‖y).
 */
import { SimError, assert } from '../errors.ts'
import type { Curve } from './secp256k1/curve.ts'
import { loadNative } from './secp256k1/native.ts'
import { loadNoble } from './secp256k1/noble.ts'
import { loadTiny } from './secp256k1/tiny.ts'

/** r, s: 32 bytes each; recovery: 0 if y is even, 1 if odd (2 and 3 if r ≥ the field's order). */
export type Signature = {
  readonly r: Uint8Array
  readonly s: Uint8Array
  readonly recovery: number
}

export type Secp256k1 = {
  /**
   * Returns the 65-byte public key that made the signature, or undefined for an invalid one.
   * It is invalid if r or s is 0 or ≥ n, the recovery ID is outside 0…3, or the point is off the
   * curve. High s is accepted, as in the EVM's precompile; transactions must check it (EIP-2).
   */
  readonly recover: (hash: Uint8Array, signature: Uint8Array, recovery: number) => Uint8Array | undefined
  /** Returns the deterministic signature with low s (RFC 6979). Throws `InvalidPrivateKey`. */
  readonly sign: (hash: Uint8Array, key: Uint8Array) => Signature
  /** Returns whether the signature is valid; rejects high s (cosmos-sdk crypto/keys/secp256k1). */
  readonly verify: (hash: Uint8Array, signature: Uint8Array, publicKey: Uint8Array) => boolean
  /** Returns the public key, 33 or 65 bytes. Throws `InvalidPrivateKey`. */
  readonly publicKey: (key: Uint8Array, compressed: boolean) => Uint8Array
}

/** Returns the operations of an implementation, with uniform checks of their arguments. */
export function makeSecp256k1(curve: Curve): Secp256k1 {
  return {
    recover: (hash, signature, recovery) => {
      assert(hash.length === 32, 'a hash to recover from has 32 bytes')
      if (!isSignature(signature)) return undefined
      if (!(recovery === 0 || recovery === 1 || recovery === 2 || recovery === 3)) return undefined
      return attempt(() => curve.recover(hash, signature, recovery))
    },
    sign: (hash, key) => {
      assert(hash.length === 32, 'a hash to sign has 32 bytes')
      checkKey(key)
      const { signature, recovery } = curve.sign(reduced(hash), key)
      return { r: signature.slice(0, 32), s: signature.slice(32), recovery }
    },
    verify: (hash, signature, publicKey) => {
      assert(hash.length === 32, 'a hash to verify has 32 bytes')
      if (!isSignature(signature) || !isPlainKey(publicKey)) return false
      return attempt(() => curve.verify(hash, signature, publicKey)) ?? false
    },
    publicKey: (key, compressed) => {
      checkKey(key)
      return curve.publicKey(key, compressed)
    },
  }
}

/** ECDSA with the fastest implementation that loads here; all give the same results. */
export const secp256k1: Secp256k1 = makeSecp256k1(attempt(loadNative) ?? attempt(loadTiny) ?? loadNoble())

// The order n of the group as eight 32-bit words.
const order = [0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0xbaaedce6, 0xaf48a03b, 0xbfd25e8c, 0xd0364141]

function isSignature(bytes: Uint8Array): boolean {
  return bytes.length === 64 && inRange(bytes, 0) && inRange(bytes, 32)
}

/** Returns whether the 32-byte number at the offset is in 1…n−1. */
function inRange(bytes: Uint8Array, offset: number): boolean {
  return !isZero(bytes, offset) && compareToOrder(bytes, offset) < 0
}

function isZero(bytes: Uint8Array, offset: number): boolean {
  for (let i = offset; i < offset + 32; i++) if (bytes[i] !== 0) return false
  return true
}

function compareToOrder(bytes: Uint8Array, offset: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 32)
  for (const [i, word] of order.entries()) {
    const difference = view.getUint32(i * 4) - word
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * Returns the hash modulo n, as RFC 6979 uses it for the nonce; libsecp256k1 does not reduce it.
 */
function reduced(hash: Uint8Array): Uint8Array {
  if (compareToOrder(hash, 0) < 0) return hash
  const rest = new Uint8Array(32)
  const view = new DataView(hash.buffer, hash.byteOffset, 32)
  const target = new DataView(rest.buffer)
  let borrow = 0
  for (let i = 7; i >= 0; i--) {
    const difference = view.getUint32(i * 4) - (order[i] ?? 0) - borrow
    target.setUint32(i * 4, difference)
    borrow = difference < 0 ? 1 : 0
  }
  return rest
}

/** Rejects the hybrid form (06, 07), which libsecp256k1 accepts but these chains do not use. */
function isPlainKey(key: Uint8Array): boolean {
  if (key.length === 33) return key[0] === 2 || key[0] === 3
  return key.length === 65 && key[0] === 4
}

function checkKey(key: Uint8Array): void {
  if (key.length !== 32 || !inRange(key, 0)) throw new InvalidPrivateKey()
}

function attempt<Result>(run: () => Result): Result | undefined {
  try {
    return run()
  } catch {
    return undefined
  }
}

/** A private key that is not 32 bytes, is 0, or is not below the order of the group. */
export class InvalidPrivateKey extends SimError {
  constructor() {
    super('INVALID_PRIVATE_KEY', 'a private key is 32 bytes, not 0, below the order of secp256k1')
  }
}
