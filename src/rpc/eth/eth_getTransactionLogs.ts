import { logJson } from '../../feed/ethShapes.ts'
import { query } from '../method.ts'
import { minedByHash } from './lookup.ts'
import { minedAsIndexed } from './uncommitted.ts'
import { txHashParam } from './params.ts'
import { logsResult } from './results.ts'

export const eth_getTransactionLogs = query({
  name: 'eth_getTransactionLogs',
  summary: 'Returns the logs of a transaction, or null if the transaction is unknown or has failed.',
  spec: 'cosmos-evm-rpc.md §2.3',
  params: [txHashParam],
  result: logsResult,
  traits: ['ofMinedTx'],
  examples: [
    {
      params: ['0x1111111111111111111111111111111111111111111111111111111111111111'],
      result: null,
    },
  ],
  read: (context, [wanted]) => {
    const mined = minedByHash(context.node.chain, wanted)
    if (mined === undefined || mined.tx.receipt.failed) return null
    const { record, tx } = minedAsIndexed(context, mined)
    return tx.receipt.logs.map((log) => logJson(record, tx, log))
  },
})
