import { query } from '../method.ts'
import { mempoolCounts } from './pool.ts'
import { numeral, objectOf } from './results.ts'

export const num_unconfirmed_txs = query({
  name: 'num_unconfirmed_txs',
  summary: 'Returns the number of transactions in the mempool and their total size in bytes.',
  spec: 'comet-rpc.md §1.23',
  params: [],
  result: objectOf({ n_txs: numeral, total: numeral, total_bytes: numeral, txs: { type: 'null' } }),
  traits: ['ofMempool', 'varies'],
  examples: [{ params: [], result: { n_txs: '0', total: '0', total_bytes: '0', txs: null } }],
  read: ({ node: { chain } }) => {
    const counts = mempoolCounts(chain.mempool)
    return { n_txs: counts.total, ...counts, txs: null }
  },
})
