import { query } from '../method.ts'
import { quantityResult } from './results.ts'

export const eth_blockNumber = query({
  name: 'eth_blockNumber',
  summary: 'Returns the height of the latest block.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [],
  result: quantityResult,
  traits: ['aboutHead'],
  examples: [{ params: [], result: '…' }],
  read: ({ node }) => node.chain.height,
})
