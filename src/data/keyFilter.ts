/**
 * A Bloom filter of keys: it holds no key, but most keys that were not added are recognized. With 10
 * bits a key, one in a hundred is not.
 */

const bitsPerKey = 10
const probes = 6

/** Returns the hash of a key, 32 bits (FNV-1a of its UTF-16 units, then mixed as MurmurHash3 does). */
export function hashOfKey(key: string): number {
  let hash = 0x811c9dc5
  for (let unit = 0; unit < key.length; unit++) hash = Math.imul(hash ^ key.charCodeAt(unit), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** Returns the filter of keys with these hashes. */
export function keyFilterOf(hashes: readonly number[]): Uint8Array {
  const filter = new Uint8Array(Math.ceil((hashes.length * bitsPerKey) / 8) + 1)
  for (const hash of hashes) {
    for (let probe = 0; probe < probes; probe++) {
      const bit = bitOf(filter, hash, probe)
      filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7))
    }
  }
  return filter
}

/** Returns false only if no key with this hash was added. */
export function mayHold(filter: Uint8Array, hash: number): boolean {
  for (let probe = 0; probe < probes; probe++) {
    const bit = bitOf(filter, hash, probe)
    if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** Successive probes are a step apart that differs by hash (Kirsch and Mitzenmacher). */
function bitOf(filter: Uint8Array, hash: number, probe: number): number {
  const step = (Math.imul(hash, 0x9e3779b1) >>> 0) | 1
  return (hash + probe * (step >>> 0)) % (8 * filter.length)
}
