import { ganacheMining } from '../dev/automine.ts'
import { action } from '../method.ts'
import { shaped } from './results.ts'

export const miner_stop = action({
  name: 'miner_stop',
  summary: 'Does nothing; where the namespace miner is off, ends Ganache\'s automine.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [],
  result: shaped({ type: ['boolean', 'null'] }),
  examples: [],
  traits: ['changesWorld'],
  command: (context) => ganacheMining(context, false) ?? { type: 'none' },
  reply: (context) => ganacheMining(context, false) === undefined ? null : true,
})
