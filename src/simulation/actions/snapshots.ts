/** Actions that roll the chain back, save it and restore it. */
import { ownValue } from '../../data/members.ts'
import { SimError } from '../../errors.ts'
import type { ActionOf } from '../../plan/action.ts'
import type { World } from '../../node/world.ts'
import { type Turn, carried, carry, withFacts, withLog, withOutputs } from '../turn.ts'

/**
 * Returns the turn after an operator removed blocks from the chain. Connections are closed, as when
 * nodes are stopped for a rollback. The log notes that consensus never does this (`mocks.md` §3.5).
 */
function rollback(world: World, turn: Turn, { to, blocks }: ActionOf<'rollback'>): Turn {
  const { node } = turn.simulation
  const { height } = node.chain
  const depth = blocks ?? height - (to ?? height)
  if (depth < 1n) throw new NothingToRollBack(to ?? height, height)
  const after = carry(world, turn, { type: 'rollback', depth })
  const cut = [...node.connections.keys()].map(
    (connection) => ({ kind: 'close', connection, code: 1012, reason: 'operator rollback' }) as const,
  )
  const text = `operator rollback from height ${height} to ${height - depth}: a real chain never does this by itself`
  return withOutputs(withLog(after, 'warn', text), cut)
}

/** Returns the turn with a snapshot of the chain under a name. */
function snapshot(world: World, turn: Turn, { name }: ActionOf<'snapshot'>): Turn {
  const { turn: next, outcome } = carried(world, turn, { type: 'checkpoint' })
  const { checkpoints } = turn.simulation.progress.facts
  if (outcome.type !== 'id') return next
  return withFacts(next, { checkpoints: { ...checkpoints, [name]: outcome.id } })
}

/**
 * Returns the turn with the chain of a snapshot, which stays available. `genesis` always exists.
 */
function restore(world: World, turn: Turn, { name }: ActionOf<'restore'>): Turn {
  const { checkpoints } = turn.simulation.progress.facts
  const id = ownValue(checkpoints, name)
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

/** The chain is not above the height to roll back to. */
export class NothingToRollBack extends SimError {
  constructor(to: bigint, height: bigint) {
    super('NOTHING_TO_ROLL_BACK', `cannot roll back to height ${to}: the chain is at ${height}`)
  }
}

export const snapshotPerformers = { rollback, snapshot, restore }
