import { uint } from '../../codec/comet.ts'
import { query } from '../method.ts'
import { genesisText } from './genesisText.ts'
import { failed } from './errors.ts'
import { cometParam } from './params.ts'
import { base64Text, numeral, objectOf } from './results.ts'

export const genesis_chunked = query({
  name: 'genesis_chunked',
  summary: 'Returns one 16 MiB chunk of the genesis document, in base64.',
  spec: 'comet-rpc.md §1.9',
  params: [cometParam('chunk', uint)],
  result: objectOf({ chunk: numeral, total: numeral, data: base64Text }),
  traits: ['cacheable'],
  examples: [{ params: ['0'], result: { chunk: '0', total: '1', data: '…' } }],
  read: ({ node: { chain } }, [chunk]) => {
    const { chunks } = genesisText(chain.genesis)
    const data = chunks[Number(chunk)]
    // The node's text names one chunk too few here.
    if (data === undefined) {
      throw failed(`there are ${chunks.length - 1} chunks, ${chunk} is invalid`)
    }
    return { chunk: chunk.toString(), total: chunks.length.toString(), data }
  },
})
