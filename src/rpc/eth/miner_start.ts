import { optional } from '../../codec/codec.ts'
import { ganacheMining } from '../dev/automine.ts'
import { action, param } from '../method.ts'
import { serverError } from './errors.ts'
import { goInt } from './params.ts'
import { boolResult } from './results.ts'

export const miner_start = action({
  name: 'miner_start',
  summary: 'Refuses, as blocks are not mined; where the namespace miner is off, Ganache\'s automine.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [param('threads', optional(goInt), undefined)],
  result: boolResult,
  examples: [],
  traits: ['changesWorld'],
  command: (context) => {
    const command = ganacheMining(context, true)
    if (command === undefined) throw serverError('unsupported rpc function: miner_start')
    return command
  },
  reply: () => true,
})
