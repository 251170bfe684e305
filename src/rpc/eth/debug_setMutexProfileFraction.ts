import { param, query } from '../method.ts'
import { goInt } from './params.ts'
import { refuseMutexes } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_setMutexProfileFraction = query({
  name: 'debug_setMutexProfileFraction',
  summary: 'Refuses: one thread has no locks to profile.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('rate', goInt)],
  result: nullResult,
  examples: [],
  read: refuseMutexes,
})
