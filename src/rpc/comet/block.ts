import { blockAt, resolveHeight } from '../../chain/view.ts'
import { query } from '../method.ts'
import { blockAnswer } from './lookup.ts'
import { heightParam } from './params.ts'
import { blockResult } from './results.ts'

export const block = query({
  name: 'block',
  summary: 'Returns the block at a height, or the latest block if the height is omitted.',
  spec: 'comet-rpc.md §1.10',
  params: [heightParam],
  result: blockResult,
  traits: ['cacheableAtHeight', 'aboutHead', 'ofBlock'],
  examples: [{ params: [null], result: '…' }],
  read: ({ node: { chain } }, [height]) => blockAnswer(blockAt(chain, resolveHeight(chain, height))),
})
