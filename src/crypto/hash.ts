/** The hashes of both worlds, bytes in, bytes out. */
import { hash as digest } from 'node:crypto'
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { equalBytes, type HashFunction } from '../data/bytes.ts'
import { assert } from '../errors.ts'

/** Returns the SHA-256 digest, 32 bytes: every hash of CometBFT (comet-rpc.md §5.1). */
export function sha256(bytes: Uint8Array): Uint8Array {
  return plainBytes(digest('sha256', bytes, 'buffer'))
}

/** Returns the SHA-512 digest, 64 bytes. */
export function sha512(bytes: Uint8Array): Uint8Array {
  return plainBytes(digest('sha512', bytes, 'buffer'))
}

/** Returns the RIPEMD-160 digest, 20 bytes. OpenSSL 3 may be built without it, so it is not used. */
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
    assert(equalBytes(faster(bytes), keccak_256(bytes)), `this Keccak-256 is wrong at ${length} bytes`)
  }
  keccak = faster
}

/** A Buffer among values would print, slice and compare differently from the bytes it holds. */
function plainBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length)
}
