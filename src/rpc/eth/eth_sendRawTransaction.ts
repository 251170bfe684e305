import { action } from '../method.ts'
import { rawSubmission, submittedHash } from './broadcast.ts'
import { dataParam } from './params.ts'
import { bytesResult } from './results.ts'

export const eth_sendRawTransaction = action({
  name: 'eth_sendRawTransaction',
  summary: 'Submits a signed transaction and returns its hash.',
  spec: 'cosmos-evm-rpc.md §2.7',
  params: [dataParam],
  result: bytesResult,
  examples: [],
  command: (context, [raw]) => rawSubmission(context, raw),
  reply: (_context, outcome) => submittedHash(outcome, 'failed to broadcast transaction: '),
})
