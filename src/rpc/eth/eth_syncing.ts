import { quantityOf } from '../../codec/hex.ts'
import { query } from '../method.ts'
import { shaped } from './results.ts'

export const eth_syncing = query({
  name: 'eth_syncing',
  summary: 'Returns the starting and current block while the node reports that it is catching up, or else false.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [],
  result: shaped({}),
  examples: [{ params: [], result: false }],
  read: ({ node: { chain, settings } }) =>
    settings.catchingUp
      ? { startingBlock: quantityOf(chain.history.base), currentBlock: quantityOf(chain.height) }
      : false,
})
