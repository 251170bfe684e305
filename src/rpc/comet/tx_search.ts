import { itemAt } from '../../data/segments.ts'
import { query } from '../method.ts'
import { failed } from './errors.ts'
import { indexedHeight } from './indexed.ts'
import { txAnswer } from './lookup.ts'
import { pageOf } from './paging.ts'
import { orderParam, pageParam, perPageParam, proveParam, queryParam } from './params.ts'
import { listOf, named, numeral, objectOf } from './results.ts'
import { inOrder, readQuery } from './search.ts'
import { searchTxs } from './searchTxs.ts'

export const tx_search = query({
  name: 'tx_search',
  summary:
    'Returns the included transactions that a query matches, oldest first unless asked otherwise.',
  spec: 'comet-rpc.md §1.17',
  params: [queryParam, proveParam, pageParam, perPageParam, orderParam],
  result: objectOf({ txs: listOf(named('Tx')), total_count: numeral }),
  examples: [
    { params: ['tx.height=1', false, '1', '1', 'asc'], result: { txs: [], total_count: '0' } },
  ],
  read: ({ node }, [text, prove, page, perPage, order]) => {
    const { chain, settings } = node
    if (settings.indexer === 'null') throw failed('transaction indexing is disabled')
    const all = searchTxs(chain.history, readQuery(text, { isLimited: true }))
    const last = indexedHeight(node)
    const found = last === chain.height ? all : all.filter((number) => itemAt(chain.history.txs, number).height <= last)
    const sorted = inOrder(found, order, 'asc')
    const { from, to } = pageOf(page, perPage, sorted.length)
    return {
      txs: sorted.slice(from, to).map((number) => txAnswer(chain, itemAt(chain.history.txs, number), prove)),
      total_count: sorted.length.toString(),
    }
  },
})
