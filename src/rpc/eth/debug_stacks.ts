import { query } from '../method.ts'
import { checkProfiling } from './profiling.ts'
import { textResult } from './results.ts'

export const debug_stacks = query({
  name: 'debug_stacks',
  summary: 'Returns the stacks of running tasks: one, this answer.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: textResult,
  examples: [],
  read: (context) => {
    checkProfiling(context)
    return 'goroutine 1 [running]:\nchainstage: one thread, answering debug_stacks\n'
  },
})
