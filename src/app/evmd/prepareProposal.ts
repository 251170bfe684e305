/** Selects and orders the mempool transactions of the next block (cosmos-evm-rpc.md §8). */
import { toBinaryString } from '../../data/binaryString.ts'
import type { Candidate, ProposalRequest } from '../application.ts'
import { createDraft } from '../draft.ts'
import type { AppState } from '../state.ts'
import { type Fixed, newContext } from './context.ts'
import { getAccount } from './modules/auth/accounts.ts'
import { waitingBaseFee } from './modules/feemarket/baseFee.ts'

/**
 * Returns the indexes of the candidates that fit, in block order. The order is arrival or, with the
 * EVM mempool, the tip above the base fee. Each sender's transactions stay in nonce order without
 * gaps.
 */
export function prepareProposal(fixed: Fixed, state: AppState, request: ProposalRequest): readonly number[] {
  const chosen: number[] = []
  let bytes = 0n
  let gas = 0n
  const take: Take = (candidate, index) => {
    const size = txSize(candidate)
    const limit = candidate.info?.gasLimit ?? 0n
    if (request.maxTxBytes >= 0n && bytes + size > request.maxTxBytes) return false
    if (request.maxGas > 0n && gas + limit > request.maxGas) return false
    bytes += size
    gas += limit
    chosen.push(index)
    return true
  }
  // CometBFT hands over its transactions up to the first that does not fit (ReapMaxBytesMaxGas).
  if (fixed.usesEvmMempool) takeByTip(fixed, state, { candidates: request.candidates, take })
  else request.candidates.every(take)
  return chosen
}

/** Takes a candidate into the block and returns true, or returns false because it does not fit. */
type Take = (candidate: Candidate, index: number) => boolean

/** Returns the size in the block's list, including a tag and the length (comet-rpc.md §5.1). */
function txSize({ tx }: Candidate): bigint {
  const lengthBytes = Math.max(1, Math.ceil(tx.length.toString(2).length / 7))
  return BigInt(1 + lengthBytes + tx.length)
}

/** A sender's transactions in nonce order; `place` breaks ties between equal tips. */
type Queue = { readonly indexes: readonly number[]; readonly place: number; at: number }

type Taking = Pick<ProposalRequest, 'candidates'> & { readonly take: Take }

/**
 * Takes candidates, the best tip first. One that does not fit is left out with the later ones of its
 * sender, and others are still taken (cosmos-sdk baseapp `DefaultProposalHandler`).
 */
function takeByTip(fixed: Fixed, state: AppState, { candidates, take }: Taking): void {
  const context = newContext({
    fixed,
    draft: createDraft(state),
    block: state.transient.header,
    mode: 'query',
  })
  const baseFee = waitingBaseFee(context)
  const tips = candidates.map((one) => tipOf(one, baseFee))
  const tipAt = ({ indexes, at }: Queue) => tips[indexes[at] ?? -1] ?? 0n
  const isBefore = (a: Queue, b: Queue) => {
    const difference = tipAt(a) - tipAt(b)
    return difference === 0n ? a.place < b.place : difference > 0n
  }
  // The best queue is last, so that removing it moves no other.
  const line: Queue[] = []
  const enter = (queue: Queue) => {
    if (queue.at < queue.indexes.length) {
      line.splice(
        placeIn(line, (one) => isBefore(queue, one)),
        0,
        queue,
      )
    }
  }
  // The node demands the minimum tip of Ethereum transactions alone.
  const leastOf = (index: number) => (candidates[index]?.info?.kind === 'cosmos' ? 0n : fixed.minTip)
  const isPaid = (index: number) => (tips[index] ?? 0n) >= leastOf(index)
  const sequenceOf = (sender: Uint8Array) => getAccount(context, sender)?.sequence ?? 0n
  queuesOf(candidates, sequenceOf).forEach((indexes, place) => {
    // geth cuts a sender's list at the first transaction with too low a tip
    // (`txpool.PendingFilter`).
    const end = indexes.findIndex((index) => !isPaid(index))
    enter({ indexes: end < 0 ? indexes : indexes.slice(0, end), place, at: 0 })
  })
  for (let best = line.pop(); best !== undefined; best = line.pop()) {
    const index = best.indexes[best.at] ?? 0
    const candidate = candidates[index]
    if (candidate === undefined || !take(candidate, index)) continue
    best.at += 1
    enter(best)
  }
}

/** Returns the index at which to insert: the number of queues that are worse than the new one. */
function placeIn(line: readonly Queue[], isWorse: (one: Queue) => boolean): number {
  let low = 0
  let high = line.length
  while (low < high) {
    const middle = (low + high) >> 1
    const one = line[middle]
    if (one !== undefined && isWorse(one)) low = middle + 1
    else high = middle
  }
  return low
}

function queuesOf(candidates: readonly Candidate[], sequenceOf: (sender: Uint8Array) => bigint): (readonly number[])[] {
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
    return runs < 0 ? sorted : sorted.slice(0, runs)
  })
}

function tipOf({ info }: Candidate, baseFee: bigint): bigint {
  if (info === undefined) return 0n
  const room = info.feeCap - baseFee
  return info.tipCap < room ? info.tipCap : room
}
