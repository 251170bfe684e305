import { text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { refuseMutexes } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_writeMutexProfile = query({
  name: 'debug_writeMutexProfile',
  summary: 'Refuses: one thread has no locks to profile.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text())],
  result: nullResult,
  examples: [],
  read: refuseMutexes,
})
