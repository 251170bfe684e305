/**
 * Hash functions of CometBFT and Ethereum, from bytes to bytes. Digests are read from OpenSSL as
 * strings, because allocating a Buffer costs three times as much as the digest.
 */
import { utf8Of } from '../data/utf8.ts'
import { hash as digest } from 'node:crypto'
import { ripemd160 as nobleRipemd160 } from '@noble/hashes/legacy.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { fromBinaryString } from '../data/binaryString.ts'
import { concatBytes, type HashFunction } from '../data/bytes.ts'
import { assert } from '../errors.ts'

/** Returns the 32-byte SHA-256 digest, used for every hash in CometBFT (comet-rpc.md §5.1). */
export function sha256(bytes: Uint8Array): Uint8Array {
  return fromBinaryString(digest('sha256', bytes, 'binary'))
}

/**
 * Returns the same digest as a binary string of 32 characters. Inside a tree of hashes it is only read
 * again, and a byte array takes as long to allocate as the digest to compute.
 */
export function sha256Binary(bytes: Uint8Array): string {
  return digest('sha256', bytes, 'binary')
}

/** Returns the SHA-256 digest of bytes, or of a text's UTF-8 bytes, as lower-case hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return digest('sha256', data, 'hex')
}

/**
 * Returns the 20-byte RIPEMD-160 digest. OpenSSL is not used, because it may be built without it.
 */
export function ripemd160(bytes: Uint8Array): Uint8Array {
  return nobleRipemd160(bytes)
}

let keccak: HashFunction = keccak_256

/** Returns the 32-byte Keccak-256 digest: Ethereum's hash, with the padding used before SHA-3. */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak(bytes)
}

/** Returns the Keccak-256 digest of a text's UTF-8 bytes, such as the signature of an event. */
export function keccakOfText(text: string): Uint8Array {
  return keccak256(utf8Of(text))
}

/** Lengths around the block size (136 bytes), and the digest of the digests of 0, 1, 2, … so long. */
const checkedLengths = [0, 1, 32, 64, 135, 136, 137, 272, 1000]
const digestOfDigests = '0c118d685111bf464346b3c74bfe1a5e19be748c7b3b94ea93edc06278424bb8'

/**
 * Replaces the default Keccak-256 with a faster one for the whole process. Throws `AssertionFailed`
 * unless it returns the right digests for lengths around the block size. They are not computed with the
 * default, which would take a fiftieth of the time of a start.
 */
export function useKeccak(faster: HashFunction): void {
  const digests = checkedLengths.map((length) => faster(new Uint8Array(length).map((_, i) => i)))
  assert(toHexText(faster(concatBytes(digests))) === digestOfDigests, 'this Keccak-256 is wrong')
  keccak = faster
}

function toHexText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
