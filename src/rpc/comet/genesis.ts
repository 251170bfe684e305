import { query } from '../method.ts'
import { JsonText, written } from '../result.ts'
import { genesisText } from './genesisText.ts'
import { failed } from './errors.ts'
import { named } from './results.ts'

export const genesis = query({
  name: 'genesis',
  summary: 'Returns the genesis document.',
  spec: 'comet-rpc.md §1.8',
  params: [],
  result: written({ type: 'object', required: ['genesis'], properties: { genesis: named('Genesis') } }),
  traits: ['cacheable', 'constant'],
  examples: [{ params: [], result: { genesis: '…' } }],
  read: ({ node: { chain } }) => {
    const { text, chunks } = genesisText(chain.genesis)
    if (chunks.length > 1) {
      throw failed('genesis response is large, please use the genesis_chunked API instead')
    }
    return new JsonText(`{"genesis":${text}}`)
  },
})
