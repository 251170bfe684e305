import { assert } from '../../errors.ts'
import { txResultJson } from '../../feed/cometShapes.ts'
import { action } from '../method.ts'
import { txParam } from './params.ts'
import { checkResult } from './results.ts'

export const check_tx = action({
  name: 'check_tx',
  summary: "Returns the application's CheckTx result for a transaction without adding it to the mempool.",
  spec: 'comet-rpc.md §1.15',
  params: [txParam],
  result: checkResult,
  examples: [{ params: ['aGVsbG8='], result: '…' }],
  command: (_context, [tx]) => ({ type: 'submitTx', tx, mode: 'check' }),
  reply: (_context, outcome) => {
    assert(outcome.type === 'submitted' && outcome.check !== undefined, 'a check has a verdict')
    return txResultJson(outcome.check)
  },
})
