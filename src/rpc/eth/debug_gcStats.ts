import { action } from '../method.ts'
import { performedJson, performing } from './profiling.ts'
import { objectResult } from './results.ts'

export const debug_gcStats = action({
  name: 'debug_gcStats',
  summary: 'Returns statistics of garbage collection since the start, times in ns.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: objectResult,
  examples: [],
  command: (context) => performing(context, { type: 'garbageStatistics' }),
  reply: performedJson,
})
