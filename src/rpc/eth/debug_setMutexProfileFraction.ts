import { param, query } from '../method.ts'
import { goInt } from './params.ts'
import { checkProfiling } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_setMutexProfileFraction = query({
  name: 'debug_setMutexProfileFraction',
  summary: 'Does nothing: one thread has no mutexes to sample.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('rate', goInt)],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  read: (context) => {
    checkProfiling(context)
    return undefined
  },
})
