import { blockAt } from '../../chain/view.ts'
import { sentTx } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { aboveHead, serverError } from './errors.ts'
import { heightOfRef } from './lookup.ts'
import { numberParam } from './params.ts'
import { anyResult } from './results.ts'
import { traceConfig } from './traceConfig.ts'
import { traceRecord } from './tracing.ts'

export const debug_traceBlockByNumber = query({
  name: 'debug_traceBlockByNumber',
  summary: 'Returns the traces of all transactions in a block.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [numberParam, param('config', traceConfig, undefined)],
  result: anyResult,
  examples: [{ before: sentTx, params: ['latest', { tracer: 'callTracer' }], result: [{ result: '…' }] }],
  read: (context, [ref, config]) => {
    if (ref.kind === 'height' && ref.height === 0n) throw serverError('genesis is not traceable')
    const { chain } = context.node
    const height = heightOfRef(context.node, ref)
    const record = blockAt(chain, height)
    if (record === undefined) throw serverError(aboveHead.comet(height, chain.height))
    return traceRecord(context, record, config)
  },
})
