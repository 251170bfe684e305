import { query } from '../method.ts'
import { blockHashParam } from './params.ts'
import { quantityResult } from './results.ts'

export const eth_getUncleCountByBlockHash = query({
  name: 'eth_getUncleCountByBlockHash',
  summary: 'Returns 0, because the chain has no uncles.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [blockHashParam],
  result: quantityResult,
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
      result: '0x0',
    },
  ],
  read: () => 0n,
})
