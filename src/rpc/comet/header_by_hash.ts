import { recordByHash } from '../../chain/lookups.ts'
import { upperHex } from '../../codec/comet.ts'
import { headerJson } from '../../feed/cometShapes.ts'
import { query } from '../method.ts'
import { cometParam } from './params.ts'
import { headerResult } from './results.ts'

export const header_by_hash = query({
  name: 'header_by_hash',
  summary: 'Returns the header of the block with the given hash (in hex), or a null header.',
  spec: 'comet-rpc.md §1.12',
  params: [cometParam('hash', upperHex, { role: 'blockHash', bytes: 'hex' })],
  result: headerResult,
  traits: ['cacheable'],
  examples: [{ params: ['AA'], result: { header: null } }],
  read: ({ node: { chain } }, [hash]) => {
    const record = recordByHash(chain.history, hash)
    return { header: record === undefined ? null : headerJson(record.block.header) }
  },
})
