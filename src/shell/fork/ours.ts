/** Finds the blocks and transactions of a forked chain that are its own. */
import { ethTxPlace, recordByEthHash, recordByHash, txByHash } from '../../chain/lookups.ts'
import { waiting, waitingTx } from '../../chain/mempool.ts'
import { readBase64 } from '../../codec/base64.ts'
import { bytesOfDigits } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import type { Node } from '../../node/node.ts'

/**
 * Returns whether our chain has a block or transaction with this hash, mined or waiting. The text is
 * hex or base64.
 */
export function isOurs({ chain: { history, mempool } }: Node, text: string): boolean {
  const hash = hashOf(text)
  if (hash === undefined) return false
  const finders = [recordByHash, recordByEthHash, ethTxPlace, txByHash]
  if (finders.some((find) => find(history, hash) !== undefined)) return true
  if (waitingTx(mempool, hash) !== undefined) return true
  return waiting(mempool).some(({ info }) => info?.ethHash !== undefined && equalBytes(info.ethHash, hash))
}

function hashOf(text: string): Uint8Array | undefined {
  const digits = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  if (digits !== undefined) return bytesOfDigits(digits)
  const bytes = readBase64(text)
  return typeof bytes === 'string' ? undefined : bytes
}
