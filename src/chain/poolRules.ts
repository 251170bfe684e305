/**
 * The checks of geth's pool, in its order, after those that the ante chain makes too (core/txpool
 * ValidateTransaction and ValidateTransactionWithState, legacypool validateAuth).
 */
import type { PoolAccount, TxInfo } from '../app/application.ts'
import type { MempoolTx } from './event.ts'
import { type Mempool, waitingEthTx, waitingTx } from './mempool.ts'
import { accountShare } from './poolShares.ts'

const maxPooledSize = 131_072

export type PoolCandidate = {
  readonly hash: Uint8Array
  readonly info: TxInfo
  readonly account: PoolAccount | undefined
  /** Maximum gas of a block; -1 if there is none. */
  readonly maxGas: bigint
  /** The minimum fee increase of a replacement, in percent. */
  readonly bump: bigint
}

/** Returns why geth's pool refuses a transaction, which other it replaces, or undefined. */
export function poolVerdict(mempool: Mempool, candidate: PoolCandidate): string | MempoolTx | undefined {
  const { hash, info, account, maxGas, bump } = candidate
  const { ethSize, gasLimit } = info
  if (waitingTx(mempool, hash) !== undefined) return 'already known'
  if (ethSize > maxPooledSize) return `oversized data: transaction size ${ethSize}, limit ${maxPooledSize}`
  if (maxGas !== -1n && gasLimit > maxGas) return 'exceeds block gas limit'
  const old = waitingEthTx(mempool, info)
  const refusal = account && (overdraft(mempool, info, old, account) ?? delegationRefusal(mempool, info, old, account))
  if (refusal !== undefined || old?.info === undefined) return refusal
  // Fee cap and tip must both exceed the old ones by the price bump, which geth rounds down to whole wei.
  const isEnough = (value: bigint, before: bigint) => value > before && value >= (before * (100n + bump)) / 100n
  const isDearer = isEnough(info.feeCap, old.info.feeCap) && isEnough(info.tipCap, old.info.tipCap)
  return isDearer ? old : 'replacement transaction underpriced'
}

/** The balance of the last block must pay for all pending transactions of the sender. */
function overdraft(
  mempool: Mempool,
  info: TxInfo,
  old: MempoolTx | undefined,
  { balance }: PoolAccount,
): string | undefined {
  const { cost } = info
  const short = `insufficient funds for gas * price + value: balance ${balance}`
  if (balance < cost) return `${short}, tx cost ${cost}, overshot ${cost - balance}`
  const { cost: spent } = accountShare(mempool.shares, info.sender)
  const isBump = old?.info !== undefined && !old.queued
  const more = isBump ? cost - old.info.cost : cost
  const over = spent + more - balance
  if (over <= 0n) return undefined
  return `${short}, queued cost ${spent}, tx ${isBump ? 'bumped' : 'cost'} ${more}, overshot ${over}`
}

/** A delegated account (EIP-7702), or one about to be, has one transaction at a time. */
function delegationRefusal(
  mempool: Mempool,
  info: TxInfo,
  old: MempoolTx | undefined,
  { hasCode, nonce }: PoolAccount,
): string | undefined {
  const own = accountShare(mempool.shares, info.sender)
  if (hasCode || own.authorized > 0) {
    if (own.pending === 0 && info.nonce !== nonce) return 'gapped-nonce tx from delegated accounts'
    if (own.pending > 0 && old?.queued !== false) return 'in-flight transaction limit reached for delegated accounts'
  }
  const isBusy = (authority: Uint8Array) => accountShare(mempool.shares, authority).txs > 1
  return info.authorities.some(isBusy) ? 'authority already reserved' : undefined
}
