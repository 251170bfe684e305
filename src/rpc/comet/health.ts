import { query } from '../method.ts'
import { emptyResult } from './results.ts'

export const health = query({
  name: 'health',
  summary: 'Returns an empty result while the server is running.',
  spec: 'comet-rpc.md §1.4',
  params: [],
  result: emptyResult,
  examples: [{ params: [], result: {} }],
  read: () => ({}),
})
