import { action, inRole, param } from '../method.ts'
import { idOf, installing } from './filters.ts'
import { logQuery } from './logFilterParam.ts'
import { textResult } from './results.ts'

export const eth_newFilter = action({
  name: 'eth_newFilter',
  summary: 'Creates a filter for the logs of new blocks and returns its id.',
  spec: 'cosmos-evm-rpc.md §5.1',
  params: [inRole('filter', param('filter', logQuery))],
  result: textResult,
  traits: ['varies', 'makesFilter'],
  examples: [{ params: [{}], result: '…' }],
  command: (context, [{ from, to, ...wanted }]) =>
    installing(context, { kind: 'logs', filter: { ...wanted, from: undefined, to: undefined }, said: { from, to } }),
  reply: (_context, outcome) => idOf(outcome),
})
