/** The bloom filter of logs (Ethereum Yellow Paper §4.3.1). */
import { keccak256 } from '../../../../crypto/hash.ts'
import type { EvmLog } from '../../../../evm/types.ts'

/** Adds the addresses and topics of logs to a bloom filter of 256 bytes, in place. */
export function addToBloom(bloom: Uint8Array, logs: readonly EvmLog[]): void {
  for (const { address, topics } of logs) {
    for (const item of [address, ...topics]) addItem(bloom, item)
  }
}

function addItem(bloom: Uint8Array, item: Uint8Array): void {
  const hash = keccak256(item)
  for (const at of [0, 2, 4]) {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
    const place = 255 - (bit >> 3)
    bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7))
  }
}
