import { action } from '../method.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_stopCPUProfile = action({
  name: 'debug_stopCPUProfile',
  summary: 'Ends the profile of the processor’s time and writes it.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context) => performing(context, { type: 'stopProfile', profile: 'cpu' }),
  reply: performedQuietly,
})
