import { text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { goUint } from './params.ts'
import { refuseMutexes } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_mutexProfile = query({
  name: 'debug_mutexProfile',
  summary: 'Refuses: one thread has no locks to profile.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text()), param('seconds', goUint)],
  result: nullResult,
  examples: [],
  read: refuseMutexes,
})
