import { uint } from '../../codec/hex.ts'
import { inRole, param, query } from '../method.ts'
import { indexParam } from './params.ts'
import { nullResult } from './results.ts'

export const eth_getUncleByBlockNumberAndIndex = query({
  name: 'eth_getUncleByBlockNumberAndIndex',
  summary: 'Returns null, because the chain has no uncles.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [inRole('block', param('block', uint)), indexParam],
  result: nullResult,
  examples: [{ params: ['0x1', '0x0'], result: null }],
  read: () => undefined,
})
