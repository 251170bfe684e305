import { recordByEthHash } from '../../chain/lookups.ts'
import { minedTxJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { blockHashParam, indexParam } from './params.ts'
import { transactionResult } from './results.ts'
import { minedAt } from './uncommitted.ts'

export const eth_getTransactionByBlockHashAndIndex = query({
  name: 'eth_getTransactionByBlockHashAndIndex',
  summary: 'Returns the transaction at an index in a block, or null.',
  spec: 'cosmos-evm-rpc.md §2.3',
  params: [blockHashParam, indexParam],
  result: transactionResult,
  traits: ['ofMinedTx'],
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111', '0x0'],
      result: null,
    },
  ],
  read: ({ node }, [block, index]) => {
    const record = recordByEthHash(node.chain.history, block)
    const tx = record === undefined ? undefined : minedAt({ node }, record, index)
    return record === undefined || tx === undefined ? null : minedTxJson(record, tx)
  },
})
