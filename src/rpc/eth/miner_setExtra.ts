import { text } from '../../codec/codec.ts'
import { param, query } from '../method.ts'
import { serverError } from './errors.ts'
import { nullResult } from './results.ts'

export const miner_setExtra = query({
  name: 'miner_setExtra',
  summary: 'Refuses: blocks carry no extra data.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [param('extra', text())],
  result: nullResult,
  examples: [],
  read: () => {
    throw serverError('unsupported rpc function: miner_setExtra')
  },
})
