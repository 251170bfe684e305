/** Actions on accounts and contracts. */
import type { World } from '../../node/world.ts'
import type { ActionOf } from '../../plan/action.ts'
import { addressOf } from '../names.ts'
import { type Turn, carry } from '../turn.ts'

/** Returns the turn after an operator's change of an account. */
function editAccount(world: World, turn: Turn, { who, change }: ActionOf<'editAccount'>): Turn {
  const { node, progress } = turn.simulation
  const address = addressOf(world, node, who, progress.facts)
  return carry(world, turn, { type: 'edit', edits: [{ ...change, address }] })
}

export const accountPerformers = { editAccount }
