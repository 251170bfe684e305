import { quantityOf } from '../../codec/hex.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { query } from '../method.ts'
import { anyResult } from './results.ts'

export const net_peerCount = query({
  name: 'net_peerCount',
  summary: 'Returns the number of connected peers, which is a setting.',
  spec: 'cosmos-evm-rpc.md §2.1',
  params: [],
  result: anyResult,
  traits: ['varies'],
  examples: [{ params: [], result: '0x0' }],
  read: ({ node: { settings } }) =>
    hasQuirk(settings, 'peer-count-number') ? settings.peers : quantityOf(settings.peers),
})
