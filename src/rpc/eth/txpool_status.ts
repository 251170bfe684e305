import { quantityOf } from '../../codec/hex.ts'
import { query } from '../method.ts'
import { poolContent } from './pool.ts'
import { objectResult } from './results.ts'

export const txpool_status = query({
  name: 'txpool_status',
  summary: 'Returns the number of transactions in the mempool.',
  spec: 'cosmos-evm-rpc.md §2.9',
  params: [],
  result: objectResult,
  traits: ['ofMempool', 'varies'],
  examples: [{ params: [], result: { pending: '0x0', queued: '0x0' } }],
  read: (context) => {
    const content = poolContent(context)
    const count = (half: ReadonlyMap<string, readonly unknown[]> = new Map()): string =>
      quantityOf([...half.values()].reduce((sum, txs) => sum + txs.length, 0))
    return { pending: count(content?.pending), queued: count(content?.queued) }
  },
})
