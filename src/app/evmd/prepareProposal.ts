/** Which waiting transactions go into the next block, and in which order (cosmos-evm-rpc.md §8). */
import { toBinaryString } from '../../data/binaryString.ts'
import type { Candidate, ProposalRequest } from '../application.ts'
import { createDraft } from '../draft.ts'
import type { AppState } from '../state.ts'
import { type Fixed, newContext } from './context.ts'
import { getAccount } from './modules/auth/accounts.ts'
import { baseFeeOf } from './modules/feemarket/baseFee.ts'

/**
 * Returns the places of the candidates that fit, in block order: by arrival, or with the mempool of
 * the EVM by what they pay above the base fee, each sender's in the order of nonces without a gap.
 */
export function prepareProposal(
  fixed: Fixed, state: AppState, request: ProposalRequest,
): readonly number[] {
  const order = fixed.usesEvmMempool ? byTip(fixed, state, request.candidates) : request.candidates.keys()
  const chosen: number[] = []
  let bytes = 0n
  let gas = 0n
  for (const index of order) {
    const candidate = request.candidates[index]
    if (candidate === undefined) continue
    const size = txSize(candidate)
    const limit = candidate.info?.gasLimit ?? 0n
    if (request.maxTxBytes >= 0n && bytes + size > request.maxTxBytes) break
    if (request.maxGas > 0n && gas + limit > request.maxGas) break
    bytes += size
    gas += limit
    chosen.push(index)
  }
  return chosen
}

/** In the block's list a transaction stands behind a tag and its length (comet-rpc.md §5.1). */
function txSize({ tx }: Candidate): bigint {
  const lengthBytes = Math.max(1, Math.ceil(tx.length.toString(2).length / 7))
  return BigInt(1 + lengthBytes + tx.length)
}

type Queue = { readonly indexes: number[]; at: number }

function byTip(fixed: Fixed, state: AppState, candidates: readonly Candidate[]): readonly number[] {
  const context = newContext({
    fixed, draft: createDraft(state), block: state.transient.header, mode: 'query',
  })
  const baseFee = baseFeeOf(context)
  const queues = queuesOf(candidates, (sender) => getAccount(context, sender)?.sequence ?? 0n)
  const order: number[] = []
  for (;;) {
    const best = queues.reduce<Queue | undefined>((found, queue) => {
      if (queue.at >= queue.indexes.length) return found
      if (found === undefined) return queue
      return tipOf(candidates, queue, baseFee) > tipOf(candidates, found, baseFee) ? queue : found
    }, undefined)
    const index = best?.indexes[best.at]
    if (best === undefined || index === undefined) return order
    order.push(index)
    best.at += 1
  }
}

function queuesOf(
  candidates: readonly Candidate[], sequenceOf: (sender: Uint8Array) => bigint,
): Queue[] {
  const bySender = new Map<string, number[]>()
  candidates.forEach(({ info }, index) => {
    if (info === undefined) return
    const key = toBinaryString(info.sender)
    const known = bySender.get(key)
    if (known === undefined) bySender.set(key, [index])
    else known.push(index)
  })
  return [...bySender.values()].map((indexes) => {
    const nonceOf = (index: number) => candidates[index]?.info?.nonce ?? 0n
    const sorted = indexes.toSorted((a, b) => (nonceOf(a) < nonceOf(b) ? -1 : 1))
    const sender = candidates[sorted[0] ?? 0]?.info?.sender ?? new Uint8Array(20)
    const first = sequenceOf(sender)
    const runs = sorted.findIndex((index, place) => nonceOf(index) !== first + BigInt(place))
    return { indexes: runs < 0 ? sorted : sorted.slice(0, runs), at: 0 }
  })
}

function tipOf(candidates: readonly Candidate[], queue: Queue, baseFee: bigint): bigint {
  const info = candidates[queue.indexes[queue.at] ?? 0]?.info
  if (info === undefined) return 0n
  const room = info.feeCap - baseFee
  return info.tipCap < room ? info.tipCap : room
}
