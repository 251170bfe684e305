import { query } from '../method.ts'
import { numberParam } from './params.ts'
import { quantityResult } from './results.ts'

export const eth_getUncleCountByBlockNumber = query({
  name: 'eth_getUncleCountByBlockNumber',
  summary: 'Returns 0, because the chain has no uncles.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [numberParam],
  result: quantityResult,
  examples: [{ params: ['latest'], result: '0x0' }],
  read: () => 0n,
})
