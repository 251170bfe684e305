import { recordByEthHash } from '../../chain/lookups.ts'
import { query } from '../method.ts'
import { blockHashParam } from './params.ts'
import { orNull, quantityResult } from './results.ts'

export const eth_getBlockTransactionCountByHash = query({
  name: 'eth_getBlockTransactionCountByHash',
  summary: 'Returns the number of Ethereum transactions in a block, or null.',
  spec: 'cosmos-evm-rpc.md §2.2',
  params: [blockHashParam],
  result: orNull(quantityResult),
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
      result: null,
    },
  ],
  read: ({ node }, [wanted]) => {
    const record = recordByEthHash(node.chain.history, wanted)
    return record === undefined ? undefined : BigInt(record.ethereum.transactions.length)
  },
})
