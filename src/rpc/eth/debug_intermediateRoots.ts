import { anyJson, optional } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { hashParam } from './params.ts'
import { checkProfiling } from './profiling.ts'
import { nullResult } from './results.ts'

export const debug_intermediateRoots = query({
  name: 'debug_intermediateRoots',
  summary: 'Returns null: there are no roots between transactions.',
  spec: 'cosmos-evm-rpc.md §2.10',
  params: [hashParam, param('config', optional(anyJson), undefined)],
  result: nullResult,
  examples: [],
  read: (context) => {
    checkProfiling(context)
    return undefined
  },
})
