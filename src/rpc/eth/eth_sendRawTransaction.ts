import { signedTx } from '../exampleCalls.ts'
import { action } from '../method.ts'
import { rawSubmission } from './broadcast.ts'
import { dataParam } from './params.ts'
import { sentHash } from './sentHash.ts'
import { bytesResult } from './results.ts'

export const eth_sendRawTransaction = action({
  name: 'eth_sendRawTransaction',
  summary: 'Submits a signed transaction and returns its hash.',
  spec: 'cosmos-evm-rpc.md §2.7',
  params: [dataParam],
  result: bytesResult,
  traits: ['submits'],
  examples: [{ before: signedTx, params: ['$1'], result: '…' }],
  command: (context, [raw]) => rawSubmission(context, raw),
  reply: (context, outcome) => sentHash(context, outcome, 'failed to broadcast transaction: '),
})
