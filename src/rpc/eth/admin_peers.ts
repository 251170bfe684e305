import { query } from '../method.ts'
import { shaped } from './results.ts'

export const admin_peers = query({
  name: 'admin_peers',
  summary: 'Returns the connected peers: none.',
  spec: 'cosmos-evm-rpc.md §2',
  params: [],
  result: shaped({ type: 'array' }),
  examples: [],
  read: () => [],
})
