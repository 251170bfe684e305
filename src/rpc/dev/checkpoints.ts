/** Takes checkpoints of the whole chain and reverts to them. */
import type { Outcome } from '../../chain/outcome.ts'
import { text } from '../../codec/codec.ts'
import { param, type Context, type Method } from '../method.ts'
import { control } from './control.ts'

export const checkpoints: readonly Method[] = [
  ...control({
    names: { evm_snapshot: idOf, anvil_snapshot: idOf },
    summary: 'Remembers the chain as it is and returns an id to go back to it with.',
    params: [],
    examples: [[]],
    command: () => ({ type: 'checkpoint' }),
  }),
  ...control({
    names: { evm_revert: wasFound, anvil_revert: wasFound },
    summary: 'Goes back to a checkpoint, once; returns whether there was one of that id.',
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
