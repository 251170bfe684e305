import { action, param } from '../method.ts'
import { goInt } from './params.ts'
import { performedJson, performing } from './profiling.ts'
import { numberResult } from './results.ts'

export const debug_setGCPercent = action({
  name: 'debug_setGCPercent',
  summary: 'Sets how much the heap grows between collections; returns the last, 0 is V8’s choice.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [param('percent', goInt)],
  result: numberResult,
  traits: ['changesWorld'],
  examples: [],
  command: (context, [percent]) => 
    performing(context, { type: 'garbagePercent', percent: Number(percent) }),
  reply: performedJson,
})
