import { eventKey } from '../../chain/indexing.ts'
import { hexOf } from '../../codec/hex.ts'
import { numbersOf } from '../../data/appendIndex.ts'
import { owner, sentTx, stranger } from '../exampleCalls.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { minedByHash } from './lookup.ts'
import { txHashParam } from './params.ts'
import { anyResult } from './results.ts'
import { traceConfig } from './traceConfig.ts'
import { traceMined } from './tracing.ts'

export const debug_traceTransaction = query({
  name: 'debug_traceTransaction',
  summary: 'Returns the trace of a mined transaction, from a tracer of geth or one in JavaScript.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [txHashParam, param('config', traceConfig, undefined)],
  result: anyResult,
  examples: [
    {
      before: sentTx,
      params: ['$1', { tracer: 'callTracer' }],
      result: { from: owner, gas: '…', gasUsed: '0x5208', input: '0x', to: stranger, type: 'CALL', value: '0x1' },
    },
  ],
  read: (context, [wanted, config]) => {
    const mined = minedByHash(context.node.chain, wanted)
    if (mined === undefined) {
      // A transaction that panicked has no receipt, but the event of its hash.
      const key = eventKey('ethereum_tx.ethereumTxHash', hexOf(wanted))
      const isThere = numbersOf(context.node.chain.history.txEvents, key).length > 0
      const why = isThere ? 'invalid ethereum tx' : 'ethereum tx not found'
      throw serverError(`GetTxByEthHash ${hexOf(wanted)}: ${why}`)
    }
    return traceMined(context, mined, config)
  },
})
