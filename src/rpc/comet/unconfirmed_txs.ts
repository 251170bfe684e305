import { heldByComet } from '../../chain/mempool.ts'
import { base64Of } from '../../codec/base64.ts'
import { int, pointer } from '../../codec/comet.ts'
import { query } from '../method.ts'
import { mempoolCounts } from './pool.ts'
import { pageSize } from './paging.ts'
import { cometParam } from './params.ts'
import { base64Text, arraySchema, numeral, objectOf } from './results.ts'

export const unconfirmed_txs = query({
  name: 'unconfirmed_txs',
  summary:
    'Returns transactions in the mempool in order of arrival (30 by default, at most 100) and their total size in bytes.',
  spec: 'comet-rpc.md §1.23',
  params: [cometParam('limit', pointer(int), { unset: '30' })],
  result: objectOf({ n_txs: numeral, total: numeral, total_bytes: numeral, txs: arraySchema(base64Text) }),
  traits: ['ofMempool'],
  examples: [{ params: ['1'], result: { n_txs: '0', total: '0', total_bytes: '0', txs: [] } }],
  read: ({ node: { chain } }, [limit]) => {
    // The node returns one transaction more than requested.
    const txs = heldByComet(chain.mempool).slice(0, pageSize(limit) + 1)
    return {
      n_txs: txs.length.toString(),
      ...mempoolCounts(chain.mempool),
      txs: txs.map(({ tx }) => base64Of(tx)),
    }
  },
})
