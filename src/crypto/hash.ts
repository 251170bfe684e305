/**
 * The hashes of both worlds, bytes in, bytes out. Digests leave OpenSSL as text, because a Buffer
 * of its own costs three times as much as the digest in it.
 */
import { hash as digest } from 'node:crypto'
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromBinaryString } from '../data/binaryString.ts'
import { equalBytes, type HashFunction } from '../data/bytes.ts'
import { assert } from '../errors.ts'

/** Returns the SHA-256 digest, 32 bytes: every hash of CometBFT (comet-rpc.md §5.1). */
export function sha256(bytes: Uint8Array): Uint8Array {
  return fromBinaryString(digest('sha256', bytes, 'binary'))
}

/** Returns the SHA-256 digest of the UTF-8 form of a text, as lower-case hex. */
export function sha256OfText(text: string): string {
  return digest('sha256', text, 'hex')
}

/** Returns the SHA-512 digest, 64 bytes. */
export function sha512(bytes: Uint8Array): Uint8Array {
  return fromBinaryString(digest('sha512', bytes, 'binary'))
}

/** Returns the RIPEMD-160 digest, 20 bytes; not from OpenSSL, which may be built without it. */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return nobleRipemd160(bytes)
}

let keccak: HashFunction = keccak_256

/** Returns the Keccak-256 digest, 32 bytes: Ethereum's hash, with the padding from before SHA-3. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak(bytes)
}

/**
 * Puts a faster Keccak-256 in the place of the default for the whole process. Throws
 * `AssertionFailed` unless it gives the same digests around the borders of a block (136 bytes).
 */
export function useKeccak(faster: HashFunction): void {
  for (const length of [0, 1, 32, 64, 135, 136, 137, 272, 1000]) {
    const bytes = new Uint8Array(length).map((_, i) => i)
    const same = equalBytes(faster(bytes), keccak_256(bytes))
    assert(same, `this Keccak-256 is wrong at ${length} bytes`)
  }
  keccak = faster
}
