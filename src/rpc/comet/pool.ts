/**
 * CometBFT's mempool: what the application queues for itself is not in it (`comet-rpc.md` §1.23).
 */
import { waiting, type Mempool } from '../../chain/mempool.ts'
import type { MempoolTx } from '../../chain/event.ts'

/** Returns those that CometBFT holds. */
export function pooled(txs: readonly MempoolTx[]): readonly MempoolTx[] {
  return txs.filter(({ queued }) => !queued)
}

/** Returns how many wait and how many bytes they have. */
export function mempoolCounts(mempool: Mempool): {
  readonly total: string; readonly total_bytes: string
} {
  const txs = pooled(waiting(mempool))
  const bytes = txs.reduce((sum, { tx }) => sum + tx.length, 0)
  return { total: txs.length.toString(), total_bytes: bytes.toString() }
}
