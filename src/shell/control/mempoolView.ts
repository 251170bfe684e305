/** Transactions in the mempool, each with the reason why it is not in a block yet. */
import { upperHexOf } from '../../codec/comet.ts'
import { hexOf } from '../../codec/hex.ts'
import type { MempoolTx } from '../../chain/event.ts'
import { waiting } from '../../chain/mempool.ts'
import type { Instance } from '../ports.ts'
import { checksumAddress } from '../../crypto/checksumAddress.ts'

/**
 * Returns up to `limit` transactions of the mempool in order of arrival, after skipping the first
 * `from`.
 */
export function mempoolView(instance: Instance, { from, limit }: { readonly from: number; readonly limit: number }) {
  const { chain } = instance.simulation().node
  return waiting(chain.mempool)
    .slice(from, from + limit)
    .map((one) => rowOf(instance, one))
}

/** Returns a transaction of the mempool as a row, with the reason why it is not in a block yet. */
export function rowOf(instance: Instance, one: MempoolTx) {
  const { hash, tx, info, gasWanted, held, heldAs, queued, since } = one
  return {
    hash: upperHexOf(hash),
    ethHash: info?.ethHash === undefined ? null : hexOf(info.ethHash),
    kind: info?.kind ?? 'unknown',
    sender: info === undefined ? null : checksumAddress(info.sender),
    nonce: info === undefined ? null : Number(info.nonce),
    gasWanted: Number(gasWanted),
    feeCap: info === undefined ? null : String(info.feeCap),
    sizeBytes: tx.length,
    state: held ? 'held' : queued ? 'queued' : 'pending',
    heldAs: heldAs ?? null,
    waitedMs: Number(instance.simulation().node.nowMs - since.ms),
    sinceHeight: Number(since.height),
    reason: reasonOf(instance, one),
  }
}

function reasonOf({ simulation, world }: Instance, { held, heldAs, queued, info }: MempoolTx): string {
  const { chain } = simulation().node
  if (held)
    return heldAs === undefined ? 'held until it is released' : `held by the rule "${heldAs}" until it is released`
  if (queued && info !== undefined) {
    const nonce = world.ethereum?.account(chain.app, info.sender).nonce ?? 0n
    return `its nonce is ${info.nonce}, and the sender's next is ${nonce}`
  }
  const baseFee = world.ethereum?.nextBaseFee(chain.app)
  if (info !== undefined && baseFee !== undefined && info.kind === 'ethereum' && info.feeCap < baseFee) {
    return `its fee cap of ${info.feeCap} wei is below the base fee of ${baseFee} wei`
  }
  const { mode, paused, intervalMs } = chain.policy
  if (paused) return 'mining is paused'
  if (mode === 'manual') return 'blocks are mined on command only'
  return mode === 'auto' ? 'the next block takes it' : `the next block takes it, one each ${intervalMs} ms`
}
