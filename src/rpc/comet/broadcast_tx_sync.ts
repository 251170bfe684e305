import { upperHexOf } from '../../codec/comet.ts'
import { assert } from '../../errors.ts'
import { action } from '../method.ts'
import { submittedOf } from './broadcast.ts'
import { txParam } from './params.ts'
import { broadcastResult } from './results.ts'

export const broadcast_tx_sync = action({
  name: 'broadcast_tx_sync',
  summary: "Submits a transaction and returns the application's CheckTx result.",
  spec: 'comet-rpc.md §1.24',
  params: [txParam],
  result: broadcastResult,
  traits: ['submits'],
  examples: [{ params: ['aGVsbG8='], result: '…' }],
  command: (_context, [tx]) => ({ type: 'submitTx', tx, mode: 'admit' }),
  reply: (_context, outcome) => {
    const { check, hash } = submittedOf(outcome)
    assert(check !== undefined, 'a transaction that is not refused has been checked')
    const { code, data, log, codespace } = check
    return {
      code,
      data: data === undefined ? '' : upperHexOf(data),
      log,
      codespace,
      hash: upperHexOf(hash),
    }
  },
})
