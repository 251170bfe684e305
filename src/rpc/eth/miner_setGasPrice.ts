import { big } from '../../codec/hex.ts'
import { param, query } from '../method.ts'
import { boolResult } from './results.ts'

export const miner_setGasPrice = query({
  name: 'miner_setGasPrice',
  summary: 'Answers true; the minimum price per gas of Cosmos transactions is a setting.',
  spec: 'cosmos-evm-rpc.md §2.12',
  params: [param('price', big)],
  result: boolResult,
  examples: [],
  read: () => true,
})
