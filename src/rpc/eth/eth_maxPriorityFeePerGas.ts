import { query } from '../method.ts'
import { suggestedTip } from './fees.ts'
import { quantityResult } from './results.ts'

export const eth_maxPriorityFeePerGas = query({
  name: 'eth_maxPriorityFeePerGas',
  summary: 'Returns the suggested tip per unit of gas, in wei.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [],
  result: quantityResult,
  examples: [{ params: [], result: '…' }],
  read: (context) => suggestedTip(context),
})
