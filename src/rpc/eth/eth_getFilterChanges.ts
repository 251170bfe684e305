import { hexOf } from '../../codec/hex.ts'
import { assert } from '../../errors.ts'
import { action } from '../method.ts'
import { installedFilter, logQueryOf } from './filters.ts'
import { changedLogs } from './logs.ts'
import { idParam } from './params.ts'
import { anyResult } from './results.ts'

export const eth_getFilterChanges = action({
  name: 'eth_getFilterChanges',
  summary: 'Returns the new results of a filter since the last poll.',
  spec: 'cosmos-evm-rpc.md §5.1',
  params: [idParam],
  result: anyResult,
  traits: ['byListenerId'],
  examples: [{ before: [['eth_newBlockFilter'], ['evm_mine']], params: ['$1'], result: ['…'] }],
  command: (context, [id]) => {
    installedFilter(context, id)
    return { type: 'pollFilter', id }
  },
  reply: (context, outcome, [id]) => {
    assert(outcome.type === 'filterChanges', `polling gave ${outcome.type}`)
    const { changes } = outcome
    if (changes.kind !== 'logs') return changes.hashes.map(hexOf)
    return changedLogs(context, logQueryOf(context, id), changes)
  },
})
