import { recordByEthHash } from '../../chain/lookups.ts'
import { hexOf } from '../../codec/hex.ts'
import { headerJson } from '../../feed/ethShapes.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import { query } from '../method.ts'
import { serverError } from './errors.ts'
import { blockHashParam } from './params.ts'
import { headerResult } from './results.ts'
import { shownBlock } from './uncommitted.ts'

export const eth_getHeaderByHash = query({
  name: 'eth_getHeaderByHash',
  summary: 'Returns the header of the block with the given hash, or null.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [blockHashParam],
  result: headerResult,
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
      result: null,
    },
  ],
  read: ({ node }, [wanted]) => {
    const record = recordByEthHash(node.chain.history, wanted)
    if (record !== undefined) return headerJson(shownBlock({ node }, record))
    if (!hasQuirk(node.settings, 'unknown-block-errors')) return null
    throw serverError(`block not found for hash ${hexOf(wanted)}`)
  },
})
