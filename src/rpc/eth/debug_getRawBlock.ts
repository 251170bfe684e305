import { query } from '../method.ts'
import { aboveHead, serverError } from './errors.ts'
import { blockOf, heightOf } from './lookup.ts'
import { stateParam } from './params.ts'
import { rawBlock } from './rawBlocks.ts'
import { bytesResult } from './results.ts'

export const debug_getRawBlock = query({
  name: 'debug_getRawBlock',
  summary: 'Returns a block as Ethereum would write it, in RLP.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [stateParam],
  result: bytesResult,
  examples: [],
  read: (context, [at]) => {
    const record = blockOf(context, at)
    if (record !== undefined) return rawBlock(record)
    throw serverError(aboveHead.comet(heightOf(context.node, at), context.node.chain.height))
  },
})
