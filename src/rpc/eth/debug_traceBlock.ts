import { sentTx } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { cometBlockAt } from './lookup.ts'
import { dataParam } from './params.ts'
import { numberInRawBlock } from './rawBlocks.ts'
import { anyResult } from './results.ts'
import { traceConfig } from './traceConfig.ts'
import { traceRecord } from './tracing.ts'

export const debug_traceBlock = query({
  name: 'debug_traceBlock',
  summary: 'Returns the traces of all transactions in the block that has the number of the given RLP-encoded block.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [dataParam, param('config', traceConfig, undefined)],
  result: anyResult,
  examples: [
    {
      settings: { quirks: ['undocumented-methods'] },
      before: [...sentTx, ['debug_getRawBlock', 'latest']],
      params: ['$2', { tracer: 'callTracer' }],
      result: [{ txHash: '…', result: '…' }],
    },
  ],
  read: (context, [raw, config]) => traceRecord(context, cometBlockAt(context, numberInRawBlock(raw)), config),
})
