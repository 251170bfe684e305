import { recordByHash } from '../../chain/lookups.ts'
import { query } from '../method.ts'
import { blockAnswer } from './lookup.ts'
import { blockHashParam } from './params.ts'
import { blockResult } from './results.ts'

export const block_by_hash = query({
  name: 'block_by_hash',
  summary: 'Returns the block with the given hash, or a null block.',
  spec: 'comet-rpc.md §1.11',
  params: [blockHashParam],
  result: blockResult,
  traits: ['cacheable'],
  examples: [
    {
      params: ['AAAA'],
      result: {
        block_id: { hash: '', parts: { total: 0, hash: '' } },
        block: null,
      },
    },
  ],
  read: ({ node: { chain } }, [hash]) => blockAnswer(recordByHash(chain.history, hash)),
})
