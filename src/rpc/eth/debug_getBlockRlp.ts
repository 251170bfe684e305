import { blockAt } from '../../chain/view.ts'
import { param, query } from '../method.ts'
import { aboveHead, serverError } from './errors.ts'
import { goUint64 } from './params.ts'
import { checkProfiling } from './profiling.ts'
import { rawBlock } from './rawBlocks.ts'
import { bytesResult } from './results.ts'

export const debug_getBlockRlp = query({
  name: 'debug_getBlockRlp',
  summary: 'Returns a block in RLP.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('height', goUint64)],
  result: bytesResult,
  examples: [],
  read: (context, [height]) => {
    checkProfiling(context)
    const record = blockAt(context.node.chain, height)
    if (record === undefined) throw serverError(aboveHead.comet(height, context.node.chain.height))
    return rawBlock(record)
  },
})
