import { blockAt, resolveHeight } from '../../chain/view.ts'
import { headerJson } from '../../feed/cometShapes.ts'
import { query } from '../method.ts'
import { heightParam } from './params.ts'
import { headerResult } from './results.ts'

export const header = query({
  name: 'header',
  summary: 'Returns the header at a height, or the latest header if the height is omitted.',
  spec: 'comet-rpc.md §1.12',
  params: [heightParam],
  result: headerResult,
  traits: ['cacheableAtHeight', 'aboutHead', 'ofBlock'],
  examples: [{ params: [null], result: { header: '…' } }],
  read: ({ node: { chain } }, [height]) => {
    const record = blockAt(chain, resolveHeight(chain, height))
    return { header: record === undefined ? null : headerJson(record.block.header) }
  },
})
