/** What waiting Ethereum transactions claim of each account, as geth's pool counts it. */
import { plainHexOf } from '../codec/hex.ts'
import { emptyMap, mapDelete, mapGet, mapSet, type PersistentMap } from '../data/persistentMap.ts'
import type { MempoolTx } from './event.ts'

/**
 * An account's waiting transactions: all, those that are not queued, and the most wei that these may
 * cost; and the number of waiting transactions with an authorization of the account (EIP-7702).
 */
export type Share = {
  readonly txs: number
  readonly pending: number
  readonly cost: bigint
  readonly authorized: number
}

/** Keys are addresses in hex. */
export type Shares = PersistentMap<Share>

const noShare: Share = { txs: 0, pending: 0, cost: 0n, authorized: 0 }

/** Returns the share of an account. */
export function accountShare(shares: Shares, address: Uint8Array): Share {
  return mapGet(shares, plainHexOf(address)) ?? noShare
}

/** Returns the shares after a transaction has come (1) or left (-1). */
export function withShare(shares: Shares, { info, queued }: MempoolTx, count: 1 | -1): Shares {
  if (info?.kind !== 'ethereum') return shares
  const pending = queued ? 0 : count
  const cost = BigInt(pending) * info.cost
  const own = moved(shares, info.sender, { txs: count, pending, cost, authorized: 0 })
  return info.authorities.reduce((all, one) => moved(all, one, { ...noShare, authorized: count }), own)
}

function moved(shares: Shares, address: Uint8Array, by: Share): Shares {
  const old = accountShare(shares, address)
  const share: Share = {
    txs: old.txs + by.txs,
    pending: old.pending + by.pending,
    cost: old.cost + by.cost,
    authorized: old.authorized + by.authorized,
  }
  const key = plainHexOf(address)
  return share.txs + share.authorized === 0 ? mapDelete(shares, key) : mapSet(shares, key, share)
}

/** The shares of no transactions. */
export const noShares: Shares = emptyMap
