/** Reads the other chain's answers for a fork: heights, and the results of CometBFT RPC searches (`comet-rpc.md` §4.4). */
import { type Members, membersOf } from '../../data/members.ts'

/** Returns the height in a block, a transaction, a receipt, or the first of several logs; undefined for other values. */
export function heightIn(value: unknown): bigint | undefined {
  const result = membersOf(Array.isArray(value) ? value[0] : value)
  const header = membersOf(result['header'] ?? membersOf(result['block'])['header'])
  // A transaction pending on the other chain is not one of ours.
  if (result['blockNumber'] === null) return 1n << 63n
  const said = result['blockNumber'] ?? result['number'] ?? result['height'] ?? header['height'] ?? header['number']
  return typeof said === 'string' ? BigInt(said) : undefined
}

export type NodeSearch = { readonly method: string; readonly params: Members }

/** The most results on one page, as in the node. */
export const perPageMost = 100

/** Returns the member of an answer with the results. */
export function listName({ method }: NodeSearch): 'txs' | 'blocks' {
  return method === 'tx_search' ? 'txs' : 'blocks'
}

/** Returns the parameters for one page of a search, in ascending order, as the other chain is asked. */
export function pageQuestion({ params }: NodeSearch, page: number): Members {
  return {
    query: plain(params['query']),
    prove: plain(params['prove']) === 'true',
    order_by: 'asc',
    page: String(page),
    per_page: String(perPageMost),
  }
}

/** Returns the hash of the transaction that a search asks for, or undefined for other searches. */
export function hashIn({ params }: NodeSearch): string | undefined {
  return /\btx\.hash\s*=\s*'?([0-9a-f]*)/i.exec(plain(params['query']))?.[1]
}

/**
 * Returns a call that our chain refuses if it refuses the search: its query or its order is wrong, or
 * nothing is indexed.
 */
export function refusedSample({ params }: NodeSearch): Members {
  return { query: plain(params['query']), order_by: plain(params['order_by']), page: '1', per_page: '1' }
}

/** Returns the height of a result of a search. */
export function heightOfFound(one: Members): bigint {
  const header = membersOf(membersOf(one['block'])['header'])
  return BigInt(String(one['height'] ?? header['height'] ?? '0'))
}

/**
 * Returns a page of an account's transactions without those above the fork, or undefined if a result is no
 * such page.
 */
export function pageUpTo(height: bigint, result: Members): Members | undefined {
  const { txs, receipts } = result
  if (!Array.isArray(txs) || !Array.isArray(receipts)) return undefined
  const isBelow = (one: unknown) => (heightIn(one) ?? 0n) <= height
  const kept: readonly unknown[] = txs.filter(isBelow)
  // Transactions above the fork are the newest; all below it were found.
  const isNewest = result['firstPage'] === true || kept.length < txs.length
  return { ...result, txs: kept, receipts: receipts.filter(isBelow), firstPage: isNewest }
}

/** Removes the quotation marks around a string in a query string. */
function plain(value: unknown): string {
  return String(value ?? '').replace(/^"(.*)"$/s, '$1')
}
