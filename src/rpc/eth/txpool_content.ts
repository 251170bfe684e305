import { pendingTxJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { poolJson } from './pool.ts'
import { objectResult } from './results.ts'

export const txpool_content = query({
  name: 'txpool_content',
  summary: 'Returns the transactions in the mempool by sender and nonce.',
  spec: 'cosmos-evm-rpc.md §2.9',
  params: [],
  result: objectResult,
  traits: ['ofMempool', 'varies'],
  examples: [{ params: [], result: { pending: {}, queued: {} } }],
  read: (context) => poolJson(context, pendingTxJson),
})
