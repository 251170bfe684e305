import { query } from '../method.ts'
import { serverError } from './errors.ts'
import { checkProfiling } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_stopGoTrace = query({
  name: 'debug_stopGoTrace',
  summary: 'Refuses: nothing was started.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  read: (context) => {
    checkProfiling(context)
    throw serverError('trace not in progress')
  },
})
