/** Facts about the node itself (`cosmos-evm-rpc.md` §2). */
import { ethHashOf } from '../../chain/ethIds.ts'
import { latestBlock } from '../../chain/view.ts'
import { hexOf } from '../../codec/hex.ts'
import { sha256 } from '../../crypto/hash.ts'
import { query, type Method } from '../method.ts'
import { chainIdOf } from './lookup.ts'
import { objectResult, shaped, textResult } from './results.ts'

const declared = { spec: 'cosmos-evm-rpc.md §2', traits: ['carriesSecrets'] as const }

export const adminMethods: readonly Method[] = [
  query({
    ...declared,
    name: 'admin_datadir',
    summary: 'Returns the path of the home directory, or an empty string if there is none.',
    params: [],
    result: textResult,
    examples: [{ params: [], result: '' }],
    read: ({ node }) => node.settings.home,
  }),
  query({
    ...declared,
    name: 'admin_nodeInfo',
    summary: 'Returns the identity of the node and the state of its chain.',
    params: [],
    result: objectResult,
    examples: [{ params: [], result: '…' }],
    read: (context) => {
      const { chain, settings } = context.node
      const head = latestBlock(chain)
      const [host, port] = settings.ethAddress.split(':')
      return {
        id: hexOf(sha256(chain.genesis.seed)),
        name: `chainstage/v${context.world.version}`,
        enode: '',
        ip: host ?? '',
        listenAddr: settings.ethAddress,
        ports: { discovery: 0, listener: Number(port ?? '0') },
        protocols: {
          eth: {
            network: Number(chainIdOf(context)),
            genesis: hexOf(sha256(new TextEncoder().encode(chain.genesis.document))),
            head: head === undefined ? null : hexOf(ethHashOf(head)),
          },
        },
      }
    },
  }),
  query({
    ...declared,
    name: 'admin_peers',
    summary: 'Returns an empty list of connected peers.',
    params: [],
    result: shaped({ type: 'array' }),
    examples: [{ params: [], result: [] }],
    read: () => [],
  }),
]
