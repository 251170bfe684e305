import { listText } from '../keptText.ts'
import { query } from '../method.ts'
import { JsonText } from '../result.ts'
import { isAllIndexed } from './indexed.ts'
import { txAnswer } from './lookup.ts'
import { orderParam, pageParam, perPageParam, proveParam, queryParam } from './params.ts'
import { arraySchema, named, numeral, objectOf } from './results.ts'
import { searchBoth } from './searchPage.ts'

export const tx_search = query({
  name: 'tx_search',
  summary: 'Returns the mined transactions whose events match a query, oldest first by default.',
  spec: 'comet-rpc.md §1.17',
  params: [queryParam, proveParam, pageParam, perPageParam, orderParam],
  result: objectOf({ txs: arraySchema(named('Tx')), total_count: numeral }),
  traits: ['ofMinedTx', 'comesWithBlock'],
  examples: [{ params: ['tx.height=1', false, '1', '1', 'asc'], result: { txs: [], total_count: '0' } }],
  isKept: (_, node) => isAllIndexed(node),
  read: (context, [text, prove, page, perPage, order]) => {
    const { total, found } = searchBoth(context, text, { page, perPage, order })
    const { chain } = context.node
    const txs = listText(found.map((one) => (one instanceof JsonText ? one : txAnswer(chain, one, prove))))
    return new JsonText(`{"txs":${txs},"total_count":"${total}"}`)
  },
})
