import { action } from '../method.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_freeOSMemory = action({
  name: 'debug_freeOSMemory',
  summary: 'Collects garbage now.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context) => performing(context, { type: 'collectGarbage' }),
  reply: performedQuietly,
})
