import { query } from '../method.ts'
import { listOf, named, numeral, objectOf, textSchema } from './results.ts'

export const net_info = query({
  name: 'net_info',
  summary: 'Returns what the node listens to and its peers; a simulated node has none.',
  spec: 'comet-rpc.md §1.6',
  params: [],
  result: objectOf({
    listening: { type: 'boolean' }, listeners: listOf(textSchema),
    n_peers: numeral, peers: listOf(named('Peer')),
  }),
  examples: [
    { params: [], result: { listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] } }
  ],
  read: ({ node: { settings } }) => ({
    listening: true, listeners: [
      `Listener(@${settings.p2pExternalAddress})`
    ], n_peers: '0', peers: [],
  }),
})
