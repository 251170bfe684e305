import { action } from '../method.ts'
import { idOf, installing, isRefusedAsText } from './filters.ts'
import { textResult } from './results.ts'

export const eth_newBlockFilter = action({
  name: 'eth_newBlockFilter',
  summary: 'Creates a filter for the hashes of new blocks and returns its id.',
  spec: 'cosmos-evm-rpc.md §5.1',
  params: [],
  result: textResult,
  traits: ['makesFilter'],
  examples: [{ params: [], result: '…' }],
  command: (context) => (isRefusedAsText(context) ? { type: 'none' } : installing(context, { kind: 'blocks' })),
  reply: (_context, outcome) =>
    outcome.type === 'done' ? 'error creating block filter: max limit reached' : idOf(outcome),
})
