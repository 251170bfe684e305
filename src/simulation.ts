/**
 * The whole of chainstage as one function of one value. Everything outside `shell/` happens here:
 * nothing is awaited, nothing is read but the input, and the same inputs give the same outputs.
 */
import { takeWanted, type Wanted } from './app/forked.ts'
import type { Genesis } from './chain/chain.ts'
import type { ChainEvent } from './chain/event.ts'
import { nextDue, removeDue } from './data/agenda.ts'
import { thrownText, unreachable } from './errors.ts'
import { apply } from './node/apply.ts'
import { postponed, withPace } from './node/pace.ts'
import type { NodeCommand } from './node/command.ts'
import { createNode } from './node/createNode.ts'
import { faultEnded } from './node/faulting.ts'
import type { Input, OperatorCommand } from './node/input.ts'
import type { Due, Node, Owed } from './node/node.ts'
import type { Output } from './node/output.ts'
import { owedTo, wokenByEvents, wokenByPerformed } from './node/owed.ts'
import type { Plan } from './node/plan.ts'
import { handshaken, listenersChanged } from './node/refusing.ts'
import { withoutConnection } from './node/subscribing.ts'
import type { World } from './node/world.ts'
import { serveOwed, serveRequest, type Served } from './rpc/serve.ts'
import { act, carried } from './simulation/act.ts'
import { assertTaken, newFixtures, withFixtures } from './simulation/fixtures.ts'
import { follow, loaded } from './simulation/follow.ts'
import { occurred, subscribed } from './simulation/observe.ts'
import { answersKept } from './simulation/ask.ts'
import { emptyJournal, noted, type Journal } from './simulation/journal.ts'
import { withMasked } from './simulation/masked.ts'
import { sightOf } from './simulation/sight.ts'
import { stopped } from './scenario/stopped.ts'
import { sawSignal, startProgress, type Progress } from './scenario/progress.ts'
import type { Settings } from './settings/settings.ts'

/** A node, the scenario it follows and how far that is, and what was seen. */
export type Simulation = {
  readonly node: Node
  readonly plan: Plan
  readonly progress: Progress
  readonly journal: Journal
}

/**
 * Carried through one input: what has happened so far; `told` counts the events the scenario knows
 * of.
 */
export type Turn = {
  readonly simulation: Simulation; readonly outputs: readonly Output[];
  readonly events: readonly ChainEvent[]; readonly told: number
}

/** Returns a simulation before its first input. Throws what refuses the genesis or the fixtures. */
export function createSimulation(
  world: World,
  { settings, genesis, plan, generation = 1 }: {
    settings: Settings; genesis: Genesis; plan: Plan; generation?: number
  },
): Simulation {
  const node = withFixtures(world, createNode(world, settings, genesis), plan.fixtures)
  return {
    node, plan,
    progress: { ...startProgress(plan, { timeMs: 0n, height: node.chain.height }), generation },
    journal: emptyJournal,
  }
}

/** `wanted` says what a forked chain has to be told before the input can have any effect. */
export type Simulated = {
  readonly simulation: Simulation
  readonly outputs: readonly Output[]
  readonly wanted?: readonly Wanted[]
}

/**
 * Returns the simulation after an input, and what leaves because of it. Never throws for any input.
 */
export function simulate(world: World, simulation: Simulation, input: Input): Simulated {
  const { app } = simulation.node.chain
  if (input.kind === 'learned') {
    world.app.learn?.(app, input.facts)
    return { simulation, outputs: [] }
  }
  // What was only looked at since the last input is nobody's concern.
  if (app.forked !== undefined) takeWanted(app.forked)
  const after = carriedOut(world, simulation, input)
  const wanted = app.forked === undefined ? [] : takeWanted(app.forked)
  return wanted.length === 0 ? after : { simulation, outputs: [], wanted }
}

function carriedOut(
  world: World, simulation: Simulation, input: Exclude<Input, { kind: 'learned' }>,
): Simulated {
  const now = input.timeMs > simulation.node.nowMs ? input.timeMs : simulation.node.nowMs
  const start: Turn = { simulation, outputs: [], events: [], told: 0 }
  const passed = drain(world, start, now)
  const entered = enter(world, withNow(passed, now), input)
  const settled = follow(world, drain(world, wake(world, entered), now))
  const done = drain(world, settled, now)
  const listeners = listenersChanged(simulation.node, done.simulation.node)
  return {
    simulation: done.simulation, outputs: [...done.outputs, ...listeners, wakeOf(done.simulation)],
  }
}

function withNow(turn: Turn, nowMs: bigint): Turn {
  return withNode(turn, { ...turn.simulation.node, nowMs })
}

/** Returns the turn with another node. */
export function withNode(turn: Turn, node: Node): Turn {
  return { ...turn, simulation: { ...turn.simulation, node } }
}

function enter(world: World, turn: Turn, input: Exclude<Input, { kind: 'learned' }>): Turn {
  const { node } = turn.simulation
  switch (input.kind) {
    case 'request': return served(world, turn, serveRequest(world, node, input))
    case 'tick': return turn
    case 'connected': {
      const { connection, side, remote, session, client } = input
      const one = { side, remote, session, ...(client && { client }) }
      const open = withNode(
        turn, { ...node, connections: new Map([...node.connections, [connection, one]]) }
      )
      return occurred(world, open, { type: 'ws', what: 'open', side, query: undefined })
    }
    case 'handshake': {
      const { node: next, output, refusedBy: by } = handshaken(world, node, input)
      const answered = { ...withNode(turn, next), outputs: [...turn.outputs, output] }
      const { side } = input
      return by === undefined
        ? answered
        : occurred(world, answered, { type: 'ws', what: 'refused', side, query: undefined, by })
    }
    case 'disconnected': {
      const side = node.connections.get(input.connection)?.side
      const closed = withNode(turn, withoutConnection(node, input.connection))
      return side === undefined
        ? closed
        : occurred(world, closed, { type: 'ws', what: 'close', side, query: undefined })
    }
    case 'operator': return operate(world, turn, input)
    case 'performed': {
      const owed = wokenByPerformed(node, input.id)
      return owed === undefined
        ? turn
        : served(world, turn, serveOwed(world, node, owed, input.result))
    }
    default: return unreachable(input)
  }
}

function operate(
  world: World, turn: Turn, { by, command }: Extract<Input, { kind: 'operator' }>,
): Turn {
  const { simulation } = turn
  if (command.type === 'loadPlan') return replanned(world, turn, { by, command })
  if (command.type === 'signal') {
    return {
      ...turn,
      simulation: { ...simulation, progress: sawSignal(simulation.progress, command.name) },
    }
  }
  if (command.type === 'endPlan') {
    const { plan, progress } = simulation
    const ended = stopped(plan, progress, { sight: sightOf(world, simulation), why: command.why })
    return { ...turn, simulation: { ...simulation, progress: ended } }
  }
  return commanded(world, turn, { by, command })
}

type Replanning = {
  readonly by: string; readonly command: Extract<OperatorCommand, { type: 'loadPlan' }>
}

/** The saved scenario with all that it changes; if any of it is refused, the one before goes on. */
function replanned(
  world: World, turn: Turn, { by, command: { plan, actions = [] } }: Replanning,
): Turn {
  const { simulation } = turn
  try {
    const told = { ...turn, simulation: loaded(simulation, plan) }
    const fixtures = { before: simulation.plan.fixtures, after: plan.fixtures }
    const changed = actions.reduce((before, action, place) =>
      act(world, before, { action, occasion: { id: 'reload', index: 0, place } }), told)
    return newFixtures(
      world, changed.simulation.node, fixtures
    ).reduce((before, { command: one, must }) => {
      const { turn: next, outcome } = carried(world, before, one)
      if (must !== undefined) assertTaken(must, outcome)
      return next
    }, changed)
  } catch (error) {
    return refused(turn, `${by}: loadPlan`, error)
  }
}

function refused(turn: Turn, what: string, error: unknown): Turn {
  const text = `${what} was refused: ${thrownText(error)}`
  return { ...turn, outputs: [...turn.outputs, { kind: 'log', level: 'error', text }] }
}

/** Returns the turn after a command; one that is refused says so in the log and changes nothing. */
export function commanded(
  world: World, turn: Turn, { by, command }: { by: string; command: NodeCommand },
): Turn {
  try {
    const { node, events, outputs } = apply(world, turn.simulation.node, command)
    const next = withNode(turn, node)
    return { ...next, events: [...turn.events, ...events], outputs: [...turn.outputs, ...outputs] }
  } catch (error) {
    return refused(turn, `${by}: ${command.type}`, error)
  }
}

/** Returns the turn after calls were answered: what left, what happened, what the journal notes. */
export function served(world: World, turn: Turn, { node, outputs, events, records }: Served): Turn {
  const { simulation } = turn
  const kept = answersKept(
    { ...simulation, node, journal: noted(simulation.journal, records) }, outputs
  )
  const after = withMasked(simulation, {
    ...turn, simulation: kept.simulation,
    outputs: [...turn.outputs, ...kept.outputs], events: [...turn.events, ...events],
  })
  const seen = records.reduce(
    (before, record) => occurred(world, before, { type: 'call', record }), after
  )
  return subscribed(world, seen, simulation.node)
}

/** Answers the replies that the events so far were waited for by; answering may cause more. */
function wake(world: World, turn: Turn): Turn {
  let next = turn
  for (const owed of wokenByEvents(turn.simulation.node, turn.events)) {
    next = answerOwed(world, next, owed, 'event')
  }
  return next
}

function answerOwed(world: World, turn: Turn, owed: Owed, woken: 'event' | 'timeout'): Turn {
  const { node } = turn.simulation
  return node.owed.includes(owed) ? served(world, turn, serveOwed(world, node, owed, woken)) : turn
}

/** Carries out what is due up to a time, each at its own moment. */
function drain(world: World, turn: Turn, untilMs: bigint): Turn {
  let next = turn
  for (;;) {
    const { node } = next.simulation
    const due = nextDue(node.agenda, untilMs)
    if (due === undefined) return next
    const nowMs = due.timeMs > node.nowMs ? due.timeMs : node.nowMs
    const taken = withNode(next, { ...node, nowMs, agenda: removeDue(node.agenda, due) })
    const before = taken.events.length
    const done = carryOut(world, taken, due.item)
    next = follow(world, wakeSince(world, done, before))
  }
}

function wakeSince(world: World, turn: Turn, from: number): Turn {
  let next = turn
  for (const owed of wokenByEvents(turn.simulation.node, turn.events.slice(from))) {
    next = answerOwed(world, next, owed, 'event')
  }
  return next
}

function carryOut(world: World, turn: Turn, due: Due): Turn {
  const { node } = turn.simulation
  switch (due.type) {
    case 'command': return commanded(world, turn, { by: 'agenda', command: due.command })
    case 'interval': {
      if (due.epoch !== node.intervalEpoch) return turn
      const waiting = due.decided ? undefined : postponed(world, node)
      if (waiting !== undefined) return withNode(turn, waiting)
      const made = commanded(world, turn, { by: 'interval', command: { type: 'produceBlock' } })
      return withNode(made, withPace(world, made.simulation.node))
    }
    case 'deliver': return { ...turn, outputs: [...turn.outputs, due.output] }
    case 'giveUp': {
      const owed = owedTo(node, due.seq)
      return owed === undefined ? turn : answerOwed(world, turn, owed, 'timeout')
    }
    case 'endFault': {
      const ended = faultEnded(node, due.name)
      return { ...withNode(turn, ended.node), outputs: [...turn.outputs, ...ended.outputs] }
    }
    case 'plan': return turn
    default: return unreachable(due)
  }
}

function wakeOf({ node }: Simulation): Output {
  return { kind: 'wake', atMs: nextDue(node.agenda)?.timeMs }
}
