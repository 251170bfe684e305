/**
 * CometBFT's mempool, without the transactions that the application keeps itself (`comet-rpc.md`
 * §1.23).
 */
import { heldByComet, type Mempool } from '../../chain/mempool.ts'

/** Returns the number of waiting transactions and their total bytes. */
export function mempoolCounts(mempool: Mempool): {
  readonly total: string
  readonly total_bytes: string
} {
  const txs = heldByComet(mempool)
  const bytes = txs.reduce((sum, { tx }) => sum + tx.length, 0)
  return { total: txs.length.toString(), total_bytes: bytes.toString() }
}
