/** Runs operators' commands: those of the node, and those that load, furnish, signal or end a scenario. */
import type { Input, OperatorCommand } from '../plan/input.ts'
import type { World } from '../node/world.ts'
import { allOf } from '../data/work.ts'
import { noBlockReason } from '../chain/quorum.ts'
import { addedAsks } from '../scenario/advance.ts'
import { sawSignal, startProgress } from '../scenario/progress.ts'
import { stopped } from '../scenario/stopped.ts'
import { act } from './actions/index.ts'
import { assertTaken, newFixtures, withFixtures } from './fixtures.ts'
import { loaded } from './follow.ts'
import { sightOf } from './sight.ts'
import { type Turn, carried, refused, withNode, withProgress } from './turn.ts'

/** Returns the turn after an operator's command. A rejected command changes nothing. */
export function operate(world: World, turn: Turn, { by, command }: Extract<Input, { kind: 'operator' }>): Turn {
  try {
    return operated(world, turn, command)
  } catch (error) {
    const { turn: after, refusal } = refused(turn, `${by}: ${command.type}`, error)
    return { ...after, refusal }
  }
}

function operated(world: World, turn: Turn, command: OperatorCommand): Turn {
  const { simulation } = turn
  if (command.type === 'loadPlan') return replanned(world, turn, command)
  if (command.type === 'furnish') return furnished(world, turn)
  if (command.type === 'signal') return withProgress(turn, sawSignal(simulation.progress, command.name))
  if (command.type === 'endPlan') {
    const { plan, progress } = simulation
    return withProgress(turn, stopped(plan, progress, { sight: sightOf(world, simulation), why: command.why }))
  }
  const { turn: after, outcome } = carried(world, turn, command)
  const minesNone = outcome.type === 'produced' && outcome.heights.length === 0
  const why = minesNone ? noBlockReason(world, after.simulation.node.chain) : undefined
  if (why !== undefined) throw why
  return after
}

/** Returns the turn with the fixtures of its plan, whose first step begins after them. */
function furnished(world: World, turn: Turn): Turn {
  const { node, plan, progress } = turn.simulation
  const after = allOf(withFixtures(world, node, plan.fixtures))
  const begun = startProgress(plan, { timeMs: node.nowMs, height: after.chain.height })
  return withProgress(withNode(turn, after), { ...begun, generation: progress.generation })
}

/**
 * Returns the turn with a reloaded scenario and all its changes. Throws if any of them is rejected;
 * the caller then keeps the old scenario.
 */
function replanned(
  world: World,
  turn: Turn,
  { plan, actions = [], fixtures: had }: Extract<OperatorCommand, { type: 'loadPlan' }>,
): Turn {
  const { simulation } = turn
  const told = { ...turn, simulation: loaded(simulation, plan) }
  const fixtures = { before: had ?? simulation.plan.fixtures, after: plan.fixtures }
  const changed = actions.reduce(
    (before, action, place) => act(world, before, { action, occasion: { id: 'reload', index: 0, place } }),
    told,
  )
  const furnished = newFixtures(world, changed.simulation.node, fixtures).reduce((before, { command: one, must }) => {
    const { turn: next, outcome } = carried(world, before, one)
    if (must !== undefined) assertTaken(must, outcome)
    return next
  }, changed)
  const { progress } = furnished.simulation
  const occasion = { id: plan.steps[progress.step]?.id ?? '', index: progress.watch.fired }
  return addedAsks(plan, progress).reduce(
    (before, action, place) => act(world, before, { action, occasion: { ...occasion, place } }),
    furnished,
  )
}
