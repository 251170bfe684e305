import type { Chain } from '../../chain/chain.ts'
import { blockAt } from '../../chain/view.ts'
import { listText } from '../keptText.ts'
import { query } from '../method.ts'
import { JsonText } from '../result.ts'
import { failed } from './errors.ts'
import { indexedHeight, isAllIndexed } from './indexed.ts'
import { blockAnswer } from './lookup.ts'
import { pageBounds } from './paging.ts'
import { newestFirstParam, pageParam, perPageParam, queryParam } from './params.ts'
import { arraySchema, named, numeral, objectOf } from './results.ts'
import { inOrder, readQuery, withOther } from './search.ts'
import { searchBlocks } from './searchBlocks.ts'

export const block_search = query({
  name: 'block_search',
  summary: 'Returns the blocks whose block events match a query, newest first by default.',
  spec: 'comet-rpc.md §1.18',
  params: [queryParam, pageParam, perPageParam, newestFirstParam],
  result: objectOf({ blocks: arraySchema(named('Block')), total_count: numeral }),
  traits: ['ofBlock'],
  examples: [{ params: ['block.height=99999999', null, null, ''], result: { blocks: [], total_count: '0' } }],
  isKept: (_, node) => isAllIndexed(node),
  read: ({ node, other }, [text, page, perPage, order]) => {
    const { chain, settings } = node
    if (settings.indexer === 'null') throw failed('block indexing is disabled')
    const all = searchBlocks(chain.history, readQuery(text, { isLimited: false }))
    const last = indexedHeight(node)
    const own = last === chain.height ? all : all.filter((height) => BigInt(height) <= last)
    const sorted = inOrder(withOther(other, own), order, 'desc')
    const { from, to } = pageBounds(page, perPage, sorted.length)
    const found = sorted
      .slice(from, to)
      .flatMap((one) => (one instanceof JsonText ? one : (ownBlock(chain, one) ?? [])))
    const blocks = listText(found)
    return new JsonText(`{"blocks":${blocks},"total_count":"${sorted.length}"}`)
  },
})

function ownBlock(chain: Chain, height: number): JsonText | undefined {
  const record = blockAt(chain, BigInt(height))
  return record === undefined ? undefined : blockAnswer(record)
}
