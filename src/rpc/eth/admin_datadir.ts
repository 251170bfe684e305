import { query } from '../method.ts'
import { textResult } from './results.ts'

export const admin_datadir = query({
  name: 'admin_datadir',
  summary: 'Returns the home directory, empty without one.',
  spec: 'cosmos-evm-rpc.md §2',
  params: [],
  result: textResult,
  examples: [],
  read: () => '',
})
