import { quantityOf } from '../../codec/hex.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { query } from '../method.ts'
import { anyResult } from './results.ts'

export const net_peerCount = query({
  name: 'net_peerCount',
  summary: 'Returns the number of connected peers; there is no network, so none.',
  spec: 'cosmos-evm-rpc.md §2.1',
  params: [],
  result: anyResult,
  examples: [{ params: [], result: '0x0' }],
  read: ({ node }) => hasQuirk(node.settings, 'peer-count-number') ? 0 : quantityOf(0),
})
