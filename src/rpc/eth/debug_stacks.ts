import { action } from '../method.ts'
import { performedJson, performing } from './profiling.ts'
import { textResult } from './results.ts'

export const debug_stacks = action({
  name: 'debug_stacks',
  summary: 'Returns where the one thread of this process is, and what it waits for.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [],
  result: textResult,
  examples: [],
  command: (context) => performing(context, { type: 'stacks' }),
  reply: performedJson,
})
