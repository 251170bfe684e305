/** Takes checkpoints of the whole chain and reverts to them. */
import { type Outcome, wasFound } from '../../chain/outcome.ts'
import { preview, type Codec } from '../../codec/codec.ts'
import { DecodeError } from '../../codec/decodeError.ts'
import { quantityOf } from '../../codec/hex.ts'
import { param, type Context, type Method } from '../method.ts'
import { control } from './control.ts'
import { integerOf } from './integers.ts'

/** The id of a checkpoint. Anvil's clients may send it as a JSON number. */
const checkpointId: Codec<string> = {
  schema: { anyOf: [{ type: 'string' }, { type: 'integer' }] },
  decode: (wire, path) => {
    if (wire.type === 'string') return wire.value
    const number = integerOf(wire)
    if (number !== undefined) return quantityOf(number)
    const expected = 'the id of a checkpoint from evm_snapshot, a string or number'
    const text = `expected ${expected}, received ${preview(wire)}`
    throw new DecodeError({ path, expected, received: preview(wire), text })
  },
  encode: (id) => id,
}

export const checkpoints: readonly Method[] = [
  ...control({
    names: { evm_snapshot: idOf, anvil_snapshot: idOf },
    summary: 'Takes a checkpoint of the chain and returns its id.',
    params: [],
    examples: [[]],
    command: () => ({ type: 'checkpoint' }),
  }),
  ...control({
    names: { evm_revert: isReverted, anvil_revert: isReverted },
    summary: 'Reverts to a checkpoint, which can be used once, and returns whether it existed.',
    params: [param('id', checkpointId)],
    examples: [['0x1234']],
    command: (_context, [id]) => ({ type: 'restore', id }),
  }),
]

function idOf(_context: Context, outcome: Outcome): string {
  return outcome.type === 'id' ? outcome.id : ''
}

function isReverted(_context: Context, outcome: Outcome): boolean {
  return wasFound(outcome)
}
