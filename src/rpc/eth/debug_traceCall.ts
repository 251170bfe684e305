import type { BlockRef } from '../../codec/blockRef.ts'
import { owner, stranger } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { stateParam } from './params.ts'
import { anyResult } from './results.ts'
import { traceConfig } from './traceConfig.ts'
import { traceMessage } from './tracing.ts'
import { txArgs } from '../../app/txArgs.ts'

export const debug_traceCall = query({
  name: 'debug_traceCall',
  summary:
    'Executes a call on the state after a block and returns its trace, from a tracer of geth or one in JavaScript.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('transaction', txArgs), stateParam, param('config', traceConfig, undefined)],
  result: anyResult,
  examples: [
    {
      params: [{ from: owner, to: stranger }, 'latest', { tracer: 'callTracer' }],
      result: { from: owner, gas: '…', gasUsed: '0x5208', input: '0x', to: stranger, type: 'CALL', value: '0x0' },
    },
  ],
  read: (context, [args, at, config]) => {
    const isEarliest = at.kind === 'tag' && at.tag === 'earliest'
    const ref: BlockRef = isEarliest ? { kind: 'height', height: context.node.chain.history.base } : at
    return traceMessage(context, ref, { args, config })
  },
})
