import { query } from '../method.ts'
import { blockOf } from './lookup.ts'
import { numberParam } from './params.ts'
import { orNull, quantityResult } from './results.ts'

export const eth_getBlockTransactionCountByNumber = query({
  name: 'eth_getBlockTransactionCountByNumber',
  summary: 'Returns the number of Ethereum transactions in a block, or null.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [numberParam],
  result: orNull(quantityResult),
  examples: [{ params: ['0xffffff'], result: null }],
  read: (context, [ref]) => {
    const record = blockOf(context, ref)
    return record === undefined ? undefined : BigInt(record.ethereum.transactions.length)
  },
})
