import { query } from '../method.ts'
import { chainIdOf } from './lookup.ts'
import { quantityResult } from './results.ts'

export const eth_chainId = query({
  name: 'eth_chainId',
  summary: 'Returns the EVM chain id (EIP-155).',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [],
  result: quantityResult,
  traits: ['constant'],
  examples: [{ params: [], result: '0x7a69' }],
  read: chainIdOf,
})
