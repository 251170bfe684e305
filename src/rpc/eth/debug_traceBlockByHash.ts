import { recordByEthHash } from '../../chain/lookups.ts'
import { hexOf } from '../../codec/hex.ts'
import { minedTx } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { blockHashParam } from './params.ts'
import { anyResult } from './results.ts'
import { traceConfig } from './traceConfig.ts'
import { traceRecord } from './tracing.ts'

export const debug_traceBlockByHash = query({
  name: 'debug_traceBlockByHash',
  summary: 'Returns the traces of all transactions in a block.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [blockHashParam, param('config', traceConfig, undefined)],
  result: anyResult,
  examples: [
    { before: minedTx, params: ['$2.blockHash', { tracer: 'callTracer' }], result: [{ txHash: '…', result: '…' }] },
  ],
  read: (context, [wanted, config]) => {
    const record = recordByEthHash(context.node.chain.history, wanted)
    if (record === undefined) throw serverError(`block not found for hash ${hexOf(wanted)}`)
    return traceRecord(context, record, config)
  },
})
