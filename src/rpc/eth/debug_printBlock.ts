import { blockAt } from '../../chain/view.ts'
import { blockJson } from '../../feed/ethShapes.ts'
import { param, query } from '../method.ts'
import { aboveHead, serverError } from './errors.ts'
import { goUint64 } from './params.ts'
import { checkProfiling } from './profiling.ts'
import { textResult } from './results.ts'

export const debug_printBlock = query({
  name: 'debug_printBlock',
  summary: 'Returns a block as text for people.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('height', goUint64)],
  result: textResult,
  examples: [],
  read: (context, [height]) => {
    checkProfiling(context)
    const record = blockAt(context.node.chain, height)
    if (record === undefined) throw serverError(aboveHead.comet(height, context.node.chain.height))
    return JSON.stringify(blockJson(record, true), null, 2)
  },
})
