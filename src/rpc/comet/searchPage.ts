import { itemAt } from '../../data/segments.ts'
import type { Node } from '../../node/node.ts'
import { failed } from './errors.ts'
import { indexedHeight } from './indexed.ts'
import { pageOf } from './paging.ts'
import { inOrder, readQuery } from './search.ts'
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
  { page, perPage, order }: Wanted,
): { readonly total: number; readonly found: readonly IndexedTx[] } {
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
  const sorted = inOrder(last === chain.height ? all : all.filter(isIndexed), order, 'asc')
  const { from, to } = pageOf(page, perPage, sorted.length)
  return {
    total: sorted.length,
    found: sorted.slice(from, to).map(read),
  }
}
