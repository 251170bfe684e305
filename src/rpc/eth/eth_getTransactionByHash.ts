import { pendingTxJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { minedTxText } from './keptTexts.ts'
import { minedByHash } from './lookup.ts'
import { txHashParam } from './params.ts'
import { findWaiting } from './pool.ts'
import { transactionResult } from './results.ts'

export const eth_getTransactionByHash = query({
  name: 'eth_getTransactionByHash',
  summary: 'Returns a mined or pending transaction, or null.',
  spec: 'cosmos-evm-rpc.md §2.3',
  params: [txHashParam],
  result: transactionResult,
  traits: ['ofMinedTx', 'comesWithBlock', 'showsTxs'],
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
      result: null,
    },
  ],
  read: (context, [wanted]) => {
    const mined = minedByHash(context.node.chain, wanted)
    if (mined !== undefined) return minedTxText(context, mined)
    const waiting = findWaiting(context, wanted)
    return waiting === undefined ? null : pendingTxJson(waiting)
  },
})
