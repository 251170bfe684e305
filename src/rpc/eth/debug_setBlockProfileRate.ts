import { action, param } from '../method.ts'
import { goInt } from './params.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_setBlockProfileRate = action({
  name: 'debug_setBlockProfileRate',
  summary: 'Measures from now on how long the event loop is held up; 0 stops it.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('rate', goInt)],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [rate]) => 
    performing(context, { type: 'blockRate', rate: Number(rate) }),
  reply: performedQuietly,
})
