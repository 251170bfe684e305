/** The 2048-bit log filter of blocks and receipts (Yellow Paper §4.3.1). */
import { keccak256 } from '../crypto/hash.ts'
import { remembered } from '../data/remembered.ts'
import type { EthereumLog } from './block.ts'

const bloomBytes = 256

/** The filter without entries, shared by all empty log lists. */
const emptyBloom: Uint8Array = new Uint8Array(bloomBytes)

/** Returns the filter of logs, 256 bytes: three bits for every address and topic. */
export const bloomOf = remembered((logs: readonly EthereumLog[]): Uint8Array => {
  if (logs.length === 0) return emptyBloom
  const bloom = new Uint8Array(bloomBytes)
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) addTo(bloom, item)
  }
  return bloom
})

function addTo(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccak256(item)
  for (const at of [0, 2, 4]) {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
    const byte = bloomBytes - 1 - (bit >> 3)
    bloom[byte] = (bloom[byte] ?? 0) | (1 << (bit & 7))
  }
}

/** Returns the union of filters. */
export function joinBlooms(given: readonly Uint8Array[]): Uint8Array {
  const blooms = given.filter((bloom) => bloom !== emptyBloom)
  if (blooms.length === 0) return emptyBloom
  const joined = new Uint8Array(bloomBytes)
  for (const bloom of blooms)
    bloom.forEach((byte, at) => {
      joined[at] = (joined[at] ?? 0) | byte
    })
  return joined
}
