import { query } from '../method.ts'
import { keyAddresses } from './keys.ts'
import { addressesResult } from './results.ts'

export const eth_accounts = query({
  name: 'eth_accounts',
  summary: 'Returns the addresses of the keys held by the node, sorted by key name.',
  spec: 'cosmos-evm-rpc.md §2.4',
  params: [],
  result: addressesResult,
  examples: [{ params: [], result: '…' }],
  read: keyAddresses,
})
