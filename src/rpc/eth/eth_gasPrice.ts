import { query } from '../method.ts'
import { suggestedPrice } from './fees.ts'
import { quantityResult } from './results.ts'

export const eth_gasPrice = query({
  name: 'eth_gasPrice',
  summary: 'Returns the suggested gas price in wei: the base fee plus the suggested tip.',
  spec: 'cosmos-evm-rpc.md §2.5',
  params: [],
  result: quantityResult,
  traits: ['varies'],
  examples: [{ params: [], result: '…' }],
  read: (context) => suggestedPrice(context),
})
