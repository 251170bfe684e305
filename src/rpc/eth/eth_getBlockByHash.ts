import { recordByEthHash } from '../../chain/lookups.ts'
import { bool } from '../../codec/codec.ts'
import { hexOf } from '../../codec/hex.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { blockText } from './keptTexts.ts'
import { blockHashParam } from './params.ts'
import { blockResult } from './results.ts'
import { shownBlock } from './uncommitted.ts'

export const eth_getBlockByHash = query({
  name: 'eth_getBlockByHash',
  summary: 'Returns the block with the given CometBFT block hash, or null.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [blockHashParam, param('full', bool)],
  result: blockResult,
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111', false],
      result: null,
    },
  ],
  read: ({ node }, [wanted, isFull]) => {
    const record = recordByEthHash(node.chain.history, wanted)
    if (record !== undefined) return blockText(shownBlock({ node }, record), isFull)
    if (!hasQuirk(node.settings, 'unknown-block-errors')) return null
    throw serverError(`block not found for hash ${hexOf(wanted)}`)
  },
})
