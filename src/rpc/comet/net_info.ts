import { query } from '../method.ts'
import { peersJson } from './peers.ts'
import { arraySchema, named, numeral, objectOf, textSchema } from './results.ts'

export const net_info = query({
  name: 'net_info',
  summary: "Returns the node's listen addresses and its simulated peers.",
  spec: 'comet-rpc.md §1.6',
  params: [],
  result: objectOf({
    listening: { type: 'boolean' },
    listeners: arraySchema(textSchema),
    n_peers: numeral,
    peers: arraySchema(named('Peer')),
  }),
  traits: ['varies'],
  examples: [{ params: [], result: { listening: true, listeners: ['Listener(@)'], n_peers: '0', peers: [] } }],
  read: (context) => {
    const { p2pExternalAddress, peers } = context.node.settings
    return {
      listening: true,
      listeners: [`Listener(@${p2pExternalAddress})`],
      n_peers: String(peers),
      peers: peersJson(context),
    }
  },
})
