/** Performs the actions of a scenario. */
import { loadedPart } from '../../data/loadable.ts'
import { assert } from '../../errors.ts'
import { unsliced } from '../../node/mining.ts'
import type { Action, ActionOf } from '../../plan/action.ts'
import type { Occasion } from '../drawnTx.ts'
import { lateNames } from '../lateNames.ts'
import { carriedWithin } from '../sustained.ts'
import { type SimulationWorld, type Turn, assertMines, withProgress } from '../turn.ts'
import { accountPerformers } from './accounts.ts'
import { consensusPerformers } from './consensus.ts'
import { mempoolPerformers } from './mempool.ts'
import { nodePerformers } from './node.ts'
import { progressPerformers } from './progress.ts'
import { snapshotPerformers } from './snapshots.ts'
import { transactionPerformers } from './transactions.ts'

export type Acting = { readonly action: Action; readonly occasion: Occasion }

/** Returns the turn after an action. Throws the error of a rejected action. */
type Performer<Type extends Action['type']> = (
  world: SimulationWorld,
  turn: Turn,
  action: ActionOf<Type>,
  occasion: Occasion,
) => Turn

/** One performer for each action of plans. */
const performers: { readonly [Type in Action['type']]: Performer<Type> } = {
  ...accountPerformers,
  ...mempoolPerformers,
  ...transactionPerformers,
  ...consensusPerformers,
  ...snapshotPerformers,
  ...nodePerformers,
  ...progressPerformers,
  command: (world, turn, { command }) => {
    assertMines(world, turn, command)
    return waiting(carriedWithin(world, turn, command), turn)
  },
  several: (world, turn, { actions }, occasion) =>
    actions.reduce((before, one) => act(world, before, { action: atOnce(one), occasion }), turn),
  late: (world, turn, { json }, occasion) => {
    assert(world.lateActions !== undefined, 'the world has no compiler of late actions')
    const make = loadedPart(world.lateActions)
    return act(world, turn, { action: make(json, lateNames(world, turn.simulation, occasion)), occasion })
  },
}

/**
 * Returns the turn after an action. The occasion keys the action's draws. Throws the error of a
 * rejected action.
 */
export function act(world: SimulationWorld, turn: Turn, { action, occasion }: Acting): Turn {
  return (performers[action.type] as Performer<Action['type']>)(world, turn, action, occasion)
}

/** Returns the action, changed to mine all its blocks at once, for callers that cannot wait. */
export function atOnce(action: Action): Action {
  return action.type === 'command' ? { ...action, command: unsliced(action.command) } : action
}

/** Notes the blocks that an action has left to mine, so that the scenario waits for them. */
function waiting(turn: Turn, { simulation: { node: before } }: Turn): Turn {
  const { node, progress } = turn.simulation
  const job = node.mining?.find(({ id }) => before.mining?.some((one) => one.id === id) !== true)
  if (job === undefined) return turn
  return withProgress(turn, { ...progress, mining: { job: job.id, rest: [] } })
}
