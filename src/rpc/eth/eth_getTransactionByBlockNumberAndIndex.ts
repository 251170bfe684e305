import { minedTxJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { blockOf } from './lookup.ts'
import { indexParam, numberParam } from './params.ts'
import { transactionResult } from './results.ts'
import { minedAt } from './uncommitted.ts'

export const eth_getTransactionByBlockNumberAndIndex = query({
  name: 'eth_getTransactionByBlockNumberAndIndex',
  summary: 'Returns the transaction at an index in a block, or null.',
  spec: 'cosmos-evm-rpc.md §2.3',
  params: [numberParam, indexParam],
  result: transactionResult,
  traits: ['ofMinedTx'],
  examples: [{ params: ['0xffffff', '0x0'], result: null }],
  read: (context, [block, index]) => {
    const record = blockOf(context, block)
    const tx = record === undefined ? undefined : minedAt(context, record, index)
    return record === undefined || tx === undefined ? null : minedTxJson(record, tx)
  },
})
