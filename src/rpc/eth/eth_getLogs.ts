import { inRole, param, query } from '../method.ts'
import { logQuery } from './logFilterParam.ts'
import { joinedLogs } from './joined.ts'
import { queryLogs } from './logs.ts'
import { writtenLogs } from './results.ts'

export const eth_getLogs = query({
  name: 'eth_getLogs',
  summary: 'Returns the logs in a block or a range of blocks that match the given addresses and topics.',
  spec: 'cosmos-evm-rpc.md §5.2',
  params: [inRole('filter', param('filter', logQuery))],
  result: writtenLogs,
  examples: [{ params: [{}], result: [] }],
  isKept: () => true,
  read: (context, [wanted]) => {
    const { other, node } = context
    if (other === undefined) return queryLogs(context, wanted)
    const height = node.chain.genesis.initialHeight
    return joinedLogs(other, queryLogs(context, { ...wanted, from: { kind: 'height', height } }))
  },
})
