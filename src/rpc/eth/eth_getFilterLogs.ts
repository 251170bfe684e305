import { query } from '../method.ts'
import { logQueryOf } from './filters.ts'
import { queryLogs } from './logs.ts'
import { idParam } from './params.ts'
import { writtenLogs } from './results.ts'

export const eth_getFilterLogs = query({
  name: 'eth_getFilterLogs',
  summary: 'Returns all logs that match a log filter, as eth_getLogs does.',
  spec: 'cosmos-evm-rpc.md §5.1',
  params: [idParam],
  result: writtenLogs,
  traits: ['byListenerId'],
  examples: [{ before: [['eth_newFilter', {}]], params: ['$1'], result: [] }],
  read: (context, [id]) => queryLogs(context, logQueryOf(context, id)),
})
