/** The bloom filter of logs (Ethereum Yellow Paper §4.3.1). */
import { keccak256 } from '../../../../crypto/hash.ts'
import type { EvmLog } from '../../../../evm/types.ts'

/** The bloom filter without logs. */
export const emptyBloom = new Uint8Array(256)

/** Returns a bloom filter of 256 bytes with the addresses and topics of logs added. */
export function bloomWithLogs(bloom: Uint8Array, logs: readonly EvmLog[]): Uint8Array {
  if (logs.length === 0) return bloom
  const grown = bloom.slice()
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) addItem(grown, item)
  }
  return grown
}

function addItem(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccak256(item)
  for (const at of [0, 2, 4]) {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
    const place = 255 - (bit >> 3)
    bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7))
  }
}
