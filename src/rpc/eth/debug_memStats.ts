import { action } from '../method.ts'
import { performedJson, performing } from './profiling.ts'
import { objectResult } from './results.ts'

export const debug_memStats = action({
  name: 'debug_memStats',
  summary: 'Returns statistics of memory, in bytes, as far as V8 keeps what Go does.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: objectResult,
  examples: [],
  command: (context) => performing(context, { type: 'memoryStatistics' }),
  reply: performedJson,
})
