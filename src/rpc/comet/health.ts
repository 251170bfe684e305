import { query } from '../method.ts'
import { emptyResult } from './results.ts'

export const health = query({
  name: 'health',
  summary: 'Answers as long as the server runs.',
  spec: 'comet-rpc.md §1.4',
  params: [],
  result: emptyResult,
  examples: [{ params: [], result: {} }],
  read: () => ({}),
})
