import { action } from '../method.ts'
import { performedQuietly, performing } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_stopGoTrace = action({
  name: 'debug_stopGoTrace',
  summary: 'Ends the profile that debug_startGoTrace started, and writes it.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context) => performing(context, { type: 'stopProfile', profile: 'trace' }),
  reply: performedQuietly,
})
