import { param, query } from '../method.ts'
import { goInt } from './params.ts'
import { checkProfiling } from './profiling.ts'
import { numberResult } from './results.ts'

export const debug_setGCPercent = query({
  name: 'debug_setGCPercent',
  summary: 'Returns 100, the rate of collection, which does not change here.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('percent', goInt)],
  result: numberResult,
  traits: ['changesWorld'],
  examples: [],
  read: (context) => {
    checkProfiling(context)
    return 100
  },
})
