import { sentTx } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { heightOfRef, cometBlockAt } from './lookup.ts'
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
  examples: [{ before: sentTx, params: ['latest', { tracer: 'callTracer' }], result: [{ txHash: '…', result: '…' }] }],
  read: (context, [ref, config]) => {
    if (ref.kind === 'height' && ref.height === 0n) throw serverError('genesis is not traceable')
    return traceRecord(context, cometBlockAt(context, heightOfRef(context.node, ref)), config)
  },
})
