import { query } from '../method.ts'
import { numberResult } from './results.ts'

export const miner_getHashrate = query({
  name: 'miner_getHashrate',
  summary: 'Returns 0: blocks are not mined.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [],
  result: numberResult,
  examples: [],
  read: () => 0,
})
