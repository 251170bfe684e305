import { action } from '../method.ts'
import { emptyResult } from './results.ts'

export const unsafe_flush_mempool = action({
  name: 'unsafe_flush_mempool',
  summary: 'Removes all transactions from the mempool and clears its cache of seen transactions.',
  spec: 'comet-rpc.md §1.29',
  params: [],
  result: emptyResult,
  traits: ['unsafe'],
  examples: [{ params: [], result: {} }],
  command: () => ({ type: 'flushMempool', keepChecks: true }),
  reply: () => ({}),
})
