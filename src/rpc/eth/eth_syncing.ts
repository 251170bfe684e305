import { query } from '../method.ts'
import { boolResult } from './results.ts'

export const eth_syncing = query({
  name: 'eth_syncing',
  summary: 'Returns false: the chain is always up to date.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [],
  result: boolResult,
  examples: [{ params: [], result: false }],
  read: () => false,
})
