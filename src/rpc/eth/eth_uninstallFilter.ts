import { wasFound } from '../../chain/outcome.ts'
import { action } from '../method.ts'
import { idParam } from './params.ts'
import { boolResult } from './results.ts'

export const eth_uninstallFilter = action({
  name: 'eth_uninstallFilter',
  summary: 'Removes a filter and returns whether it existed.',
  spec: 'cosmos-evm-rpc.md §5.1',
  params: [idParam],
  result: boolResult,
  traits: ['byListenerId', 'stopsListening'],
  examples: [{ params: ['0x1234'], result: false }],
  command: (_context, [id]) => ({ type: 'uninstallFilter', id }),
  reply: (_context, outcome) => wasFound(outcome),
})
