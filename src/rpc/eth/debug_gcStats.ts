import { query } from '../method.ts'
import { checkProfiling } from './profiling.ts'
import { objectResult } from './results.ts'

export const debug_gcStats = query({
  name: 'debug_gcStats',
  summary: 'Returns statistics of garbage collection: none are kept.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: objectResult,
  examples: [],
  read: (context) => {
    checkProfiling(context)
    return {
      LastGC: '0001-01-01T00:00:00Z',
      NumGC: 0,
      PauseTotal: 0,
      Pause: [],
      PauseEnd: [],
      PauseQuantiles: null,
    }
  },
})
