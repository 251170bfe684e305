/**
 * CometBFT's mempool: what the application keeps for itself is not in it (`comet-rpc.md` §1.23).
 */
import { heldByComet, type Mempool } from '../../chain/mempool.ts'

/** Returns how many wait and how many bytes they have. */
export function mempoolCounts(mempool: Mempool): {
  readonly total: string
  readonly total_bytes: string
} {
  const txs = heldByComet(mempool)
  const bytes = txs.reduce((sum, { tx }) => sum + tx.length, 0)
  return { total: txs.length.toString(), total_bytes: bytes.toString() }
}
