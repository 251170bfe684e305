import { text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { checkProfiling } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_startCPUProfile = query({
  name: 'debug_startCPUProfile',
  summary: 'Refuses: a profile has a length here; see debug_cpuProfile.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('file', text())],
  result: nullResult,
  traits: ['changesWorld'],
  examples: [],
  read: (context) => {
    checkProfiling(context)
    throw serverError('profiles are taken for a number of seconds here: use debug_cpuProfile')
  },
})
