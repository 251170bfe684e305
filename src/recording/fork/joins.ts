/**
 * Joins answers of a forked chain with those of the other chain's history: single answers, and the
 * results of a CometBFT RPC search, which become one list in the order of heights (`comet-rpc.md` §4.4).
 */
import { type Members, membersOf } from '../../data/members.ts'
import type { Answer } from '../../node/answer.ts'

/** Returns the height in a block, a transaction, a receipt, or the first of several logs; undefined for other values. */
export function heightIn(value: unknown): bigint | undefined {
  const result = membersOf(Array.isArray(value) ? value[0] : value)
  const header = membersOf(result['header'] ?? membersOf(result['block'])['header'])
  // A transaction pending on the other chain is not one of ours.
  if (result['blockNumber'] === null) return 1n << 63n
  const said = result['blockNumber'] ?? result['number'] ?? result['height'] ?? header['height'] ?? header['number']
  return typeof said === 'string' ? BigInt(said) : undefined
}

export type Search = { readonly method: string; readonly params: Members }

/** The most results on one page, as in the node. */
export const perPageMost = 100

/** Returns the member of an answer with the results. */
export function listName({ method }: Search): 'txs' | 'blocks' {
  return method === 'tx_search' ? 'txs' : 'blocks'
}

/** Returns the parameters for one page of a search, in ascending order, as each side is asked. */
export function pageQuestion({ params }: Search, page: number): Members {
  return {
    query: plain(params['query']),
    prove: plain(params['prove']) === 'true',
    order_by: 'asc',
    page: String(page),
    per_page: String(perPageMost),
  }
}

/** Returns the hash of the transaction that a search asks for, or undefined for other searches. */
export function hashIn({ params }: Search): string | undefined {
  return /\btx\.hash\s*=\s*'?([0-9a-f]*)/i.exec(plain(params['query']))?.[1]
}

/**
 * Returns the page that the client asked for. `before` are the other chain's results, of which
 * those above `height`, the fork, are left out; `own` are ours. Answers with the node's error if
 * there is no such page.
 */
export function searchPage(
  search: Search,
  { before, own, height }: { before: readonly Members[]; own: readonly Members[]; height: bigint },
): Answer {
  const all = [...before.filter((one) => heightOf(one) <= height), ...own]
  const { page, per_page: size, order_by: order } = search.params
  const isDescending = plain(order) === 'desc' || (plain(order) === '' && search.method === 'block_search')
  const perPage = Math.min(Number(plain(size) || '30'), perPageMost)
  const at = Number(plain(page) || '1')
  const pages = Math.max(1, Math.ceil(all.length / perPage))
  if (!(at >= 1 && at <= pages)) {
    const data = JSON.stringify(`page should be within [1, ${pages}] range, given ${at}`)
    return { ok: false, error: { code: -32603, message: 'Internal error', data } }
  }
  const shown = (isDescending ? all.toReversed() : all).slice((at - 1) * perPage, at * perPage)
  return { ok: true, text: JSON.stringify({ [listName(search)]: shown, total_count: String(all.length) }) }
}

function heightOf(one: Members): bigint {
  const header = membersOf(membersOf(one['block'])['header'])
  return BigInt(String(one['height'] ?? header['height'] ?? '0'))
}

/** Removes the quotation marks around a string in a query string. */
function plain(value: unknown): string {
  return String(value ?? '').replace(/^"(.*)"$/s, '$1')
}
