import { query } from '../method.ts'
import { boolResult } from './results.ts'

export const net_listening = query({
  name: 'net_listening',
  summary: 'Returns whether the node accepts peer connections.',
  spec: 'cosmos-evm-rpc.md §2.1',
  params: [],
  result: boolResult,
  traits: ['varies'],
  examples: [{ params: [], result: true }],
  read: () => true,
})
