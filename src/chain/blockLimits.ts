/** Block size limits (CometBFT `types/block.go`), for proposals and for the mempool's own check. */
import type { Evidence } from './block.ts'
import type { Chain } from './chain.ts'
import { evidenceBytes } from './hashing.ts'

const largestBlock = 104_857_600n
const blockOverhead = 11n
const largestHeader = 626n
const commitOverhead = 94n
const largestSignature = 109n + 2n

/** Returns the maximum bytes of transactions in the next block, given its evidence. */
export function maxDataBytes({ consensusParams, validators }: Chain, evidence: readonly Evidence[]): bigint {
  const { maxBytes } = consensusParams.block
  const evidenceSize = evidence.reduce((sum, one) => sum + BigInt(evidenceBytes(one).length), 0n)
  const signatures = largestSignature * BigInt(validators.validators.length)
  return (
    (maxBytes === -1n ? largestBlock : maxBytes) -
    blockOverhead -
    largestHeader -
    commitOverhead -
    signatures -
    evidenceSize
  )
}

/** Returns the size of a transaction in a block's data, in bytes: tag, length and transaction. */
export function sizeInBlock(tx: Uint8Array): number {
  let lengthBytes = 1
  for (let rest = tx.length; rest >= 128; rest = Math.floor(rest / 128)) lengthBytes++
  return 1 + lengthBytes + tx.length
}
