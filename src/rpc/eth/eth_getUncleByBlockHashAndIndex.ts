import { query } from '../method.ts'
import { blockHashParam, indexParam } from './params.ts'
import { nullResult } from './results.ts'

export const eth_getUncleByBlockHashAndIndex = query({
  name: 'eth_getUncleByBlockHashAndIndex',
  summary: 'Returns null, because the chain has no uncles.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [blockHashParam, indexParam],
  result: nullResult,
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111', '0x0'],
      result: null,
    },
  ],
  read: () => undefined,
})
