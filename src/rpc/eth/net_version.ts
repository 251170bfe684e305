import { query } from '../method.ts'
import { chainIdOf } from './lookup.ts'
import { textResult } from './results.ts'

export const net_version = query({
  name: 'net_version',
  summary: 'Returns the EVM chain id in decimal.',
  spec: 'cosmos-evm-rpc.md §2.1',
  params: [],
  result: textResult,
  traits: ['varies'],
  examples: [{ params: [], result: '31337' }],
  read: (context) => chainIdOf(context).toString(),
})
