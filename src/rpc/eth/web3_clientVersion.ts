import { hasQuirk } from '../../settings/quirks.ts'
import { dialectOf } from '../devDialects.ts'
import { query } from '../method.ts'
import { namespacesOf } from './dialect.ts'
import { textResult } from './results.ts'

const clientNames = { anvil: 'anvil', hardhat: 'HardhatNetwork', ganache: 'Ganache' }

export const web3_clientVersion = query({
  name: 'web3_clientVersion',
  summary: 'Returns the name and version of the client software.',
  spec: 'cosmos-evm-rpc.md §2.1',
  params: [],
  result: textResult,
  traits: ['varies'],
  examples: [{ params: [], result: '…' }],
  read: (context) => {
    const { version } = context.world
    if (hasQuirk(context.node.settings, 'client-version-build')) {
      return `Version chainstage ${version} ()\nCompiled at  using Node (wasm)`
    }
    // Test helpers only run if the name starts with a development chain they know.
    return namespacesOf(context).includes('dev')
      ? `${clientNames[dialectOf(context)]}/chainstage/v${version}`
      : `chainstage/v${version}`
  },
})
