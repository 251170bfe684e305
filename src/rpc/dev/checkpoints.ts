/** Takes checkpoints of the whole chain and reverts to them. */
import type { Outcome } from '../../chain/outcome.ts'
import { text } from '../../codec/codec.ts'
import { param, type Context, type Method } from '../method.ts'
import { control } from './control.ts'

export const checkpoints: readonly Method[] = [
  ...control({
    names: { evm_snapshot: idOf, anvil_snapshot: idOf },
    summary: 'Takes a checkpoint of the chain and returns its id.',
    params: [],
    examples: [[]],
    command: () => ({ type: 'checkpoint' }),
  }),
  ...control({
    names: { evm_revert: wasFound, anvil_revert: wasFound },
    summary: 'Reverts to a checkpoint, which can be used once, and returns whether it existed.',
    params: [param('id', text())],
    examples: [['0x1234']],
    command: (_context, [id]) => ({ type: 'restore', id }),
  }),
]

function idOf(_context: Context, outcome: Outcome): string {
  return outcome.type === 'id' ? outcome.id : ''
}

function wasFound(_context: Context, outcome: Outcome): boolean {
  return outcome.type === 'found' && outcome.found
}
