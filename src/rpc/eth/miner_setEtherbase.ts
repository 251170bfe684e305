import { query } from '../method.ts'
import { addressParam } from './params.ts'
import { boolResult } from './results.ts'

export const miner_setEtherbase = query({
  name: 'miner_setEtherbase',
  summary: 'Answers false: the node’s validator keeps its withdraw address.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [addressParam],
  result: boolResult,
  examples: [],
  read: () => false,
})
