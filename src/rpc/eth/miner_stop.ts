import { query } from '../method.ts'
import { nullResult } from './results.ts'

export const miner_stop = query({
  name: 'miner_stop',
  summary: 'Does nothing.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [],
  result: nullResult,
  examples: [],
  read: () => undefined,
})
