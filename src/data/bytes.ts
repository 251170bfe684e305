/** Byte array operations for data structures and digests. */

/**
 * A hash function, e.g. sha256. Passed as a parameter, because `data/` may not import `crypto/`.
 */
export type HashFunction = (bytes: Uint8Array) => Uint8Array

/** The same hash function, whose digest is a binary string. */
export type BinaryHash = (bytes: Uint8Array) => string

/** Returns the concatenation of the parts in a new array. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Returns a negative number, 0 or a positive number as `a` sorts before, with or after `b`. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Returns whether both have the same length and bytes. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  // Compares from the end: big-endian counters differ in their last bytes.
  for (let i = a.length - 1; i >= 0; i--) if (a[i] !== b[i]) return false
  return true
}
