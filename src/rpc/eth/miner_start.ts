import { optional } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { goInt } from './params.ts'
import { nullResult } from './results.ts'

export const miner_start = query({
  name: 'miner_start',
  summary: 'Refuses: blocks are not mined.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [param('threads', optional(goInt), undefined)],
  result: nullResult,
  examples: [],
  read: () => {
    throw serverError('unsupported rpc function: miner_start')
  },
})
