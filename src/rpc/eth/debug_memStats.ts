import { parseJson } from '../../codec/goJson.ts'
import { plainOf } from '../../codec/goJsonWrite.ts'
import { action, Waiting } from '../method.ts'
import { performed, performing } from './profiling.ts'
import { anyResult } from './results.ts'

export const debug_memStats = action({
  name: 'debug_memStats',
  summary: 'Returns statistics of memory, in bytes.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: anyResult,
  examples: [],
  command: (context) => performing(context, { type: 'memoryStatistics' }),
  reply: (context, outcome) => {
    const done = performed(context, outcome)
    return done instanceof Waiting ? done : plainOf(parseJson(done))
  },
})
