import { query } from '../method.ts'
import { quantityResult } from './results.ts'

export const eth_protocolVersion = query({
  name: 'eth_protocolVersion',
  summary: 'Returns the Ethereum protocol version, 65.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [],
  result: quantityResult,
  examples: [{ params: [], result: '0x41' }],
  read: () => 65n,
})
