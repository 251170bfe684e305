import { upperHexOf } from '../../codec/comet.ts'
import { action } from '../method.ts'
import { submittedOf } from './broadcast.ts'
import { txParam } from './params.ts'
import { broadcastResult } from './results.ts'

export const broadcast_tx_async = action({
  name: 'broadcast_tx_async',
  summary: "Submits a transaction and returns its hash, without the application's CheckTx result.",
  spec: 'comet-rpc.md §1.24',
  params: [txParam],
  result: broadcastResult,
  traits: ['submits'],
  examples: [{ params: ['aGVsbG8='], result: { code: 0, data: '', log: '', codespace: '', hash: '…' } }],
  command: (_context, [tx]) => ({ type: 'submitTx', tx, mode: 'admit' }),
  reply: (_context, outcome) => {
    const { hash } = submittedOf(outcome)
    return { code: 0, data: '', log: '', codespace: '', hash: upperHexOf(hash) }
  },
})
