import { uint64 } from '../../codec/hex.ts'
import { param, query } from '../method.ts'
import { boolResult } from './results.ts'

export const miner_setGasLimit = query({
  name: 'miner_setGasLimit',
  summary: 'Answers false: the gas limit of blocks is a consensus parameter.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [param('gas', uint64)],
  result: boolResult,
  examples: [],
  read: () => false,
})
