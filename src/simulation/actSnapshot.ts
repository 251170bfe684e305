/** Actions that save the chain and restore it. */
import { SimError } from '../errors.ts'
import type { Action } from '../plan/action.ts'
import type { World } from '../node/world.ts'
import { type Turn, carried, carry, withFacts } from './turn.ts'

type Of<Type> = Extract<Action, { type: Type }>

/** Returns the turn with a snapshot of the chain under a name. */
export function snapshot(world: World, turn: Turn, { name }: Of<'snapshot'>): Turn {
  const { turn: next, outcome } = carried(world, turn, { type: 'checkpoint' })
  const { checkpoints } = turn.simulation.progress.facts
  if (outcome.type !== 'id') return next
  return withFacts(next, { checkpoints: { ...checkpoints, [name]: outcome.id } })
}

/**
 * Returns the turn with the chain of a snapshot, which stays available. `genesis` always exists.
 */
export function restore(world: World, turn: Turn, { name }: Of<'restore'>): Turn {
  const { checkpoints } = turn.simulation.progress.facts
  const id = checkpoints[name]
  if (id === undefined) {
    if (name === 'genesis') return carry(world, turn, { type: 'reset' })
    throw new UnknownSnapshot(name, Object.keys(checkpoints))
  }
  const { turn: next, outcome } = carried(world, turn, { type: 'restore', id })
  if (outcome.type === 'found' && !outcome.found) throw new UnknownSnapshot(name, [])
  return snapshot(world, next, { type: 'snapshot', name })
}

/** No snapshot has this name, or restoring an older one removed it. */
export class UnknownSnapshot extends SimError {
  constructor(name: string, known: readonly string[]) {
    super('UNKNOWN_SNAPSHOT', `no snapshot is called "${name}"`, {
      hint: known.length === 0 ? 'Take one first: { snapshot: … }.' : `Known snapshots: ${known.join(', ')}.`,
    })
  }
}
