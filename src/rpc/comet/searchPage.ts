import { itemAt } from '../../data/segments.ts'
import type { Node } from '../../node/node.ts'
import type { Context } from '../method.ts'
import { JsonText } from '../result.ts'
import { failed } from './errors.ts'
import { indexedHeight } from './indexed.ts'
import { pageBounds } from './paging.ts'
import { inOrder, readQuery, withOther } from './search.ts'
import { searchTxs } from './searchTxs.ts'
import { type IndexedTx, txAt } from '../../chain/indexing.ts'
import { txNumberOf } from '../../chain/txHashes.ts'

type Wanted = {
  readonly page: bigint | undefined
  readonly perPage: bigint | undefined
  readonly order: string
}

/** Returns a page of the indexed transactions that match a query (`comet-rpc.md` §1.17). */
export function searchPage(
  node: Node,
  text: string,
  wanted: Wanted,
): { readonly total: number; readonly found: readonly IndexedTx[] } {
  const { total, found } = searchBoth({ node }, text, wanted)
  return { total, found: found.flatMap((one) => (one instanceof JsonText ? [] : one)) }
}

/** Returns a page of the transactions of both chains on a fork; those of the other chain are text. */
export function searchBoth(
  { node, other }: Pick<Context, 'node' | 'other'>,
  text: string,
  { page, perPage, order }: Wanted,
): { readonly total: number; readonly found: readonly (IndexedTx | JsonText)[] } {
  const { chain, settings } = node
  if (settings.indexer === 'null') throw failed('transaction indexing is disabled')
  const { history } = chain
  const read = (number: number) => txAt(history, number)
  const all = searchTxs(
    { ...history, read, numberOf: (hash) => txNumberOf(history, hash) },
    readQuery(text, { isLimited: true }),
  )
  const last = indexedHeight(node)
  const isIndexed = (number: number): boolean => itemAt(history.txs, number).height <= last
  const own = last === chain.height ? all : all.filter(isIndexed)
  const sorted = inOrder(withOther(other, own), order, 'asc')
  const { from, to } = pageBounds(page, perPage, sorted.length)
  return {
    total: sorted.length,
    found: sorted.slice(from, to).map((one) => (typeof one === 'number' ? read(one) : one)),
  }
}
