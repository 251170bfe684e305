/**
 * chainstage as one function of one value. Everything outside `shell/` runs here, synchronously and
 * from the input alone, so the same inputs give the same outputs.
 */
import { type WantedPart, takeWanted } from './app/forked.ts'
import type { Genesis } from './chain/chain.ts'
import { emptyAgenda, nextDue, removeDue } from './data/agenda.ts'
import { takeIsWanted } from './data/loadable.ts'
import { type Work, allOf } from './data/work.ts'
import { thrownInFull, unreachable } from './errors.ts'
import { postponed, withPace } from './node/pace.ts'
import { withLeap } from './node/wallTime.ts'
import { createNode } from './node/createNode.ts'
import { effects } from './node/effects.ts'
import { faultEnded } from './node/faulting.ts'
import { incidentReply, withIncident } from './node/incidents.ts'
import type { Input } from './plan/input.ts'
import type { Due, Owed } from './node/node.ts'
import type { Output } from './node/output.ts'
import { owedTo, wokenByEvents, wokenByPerformed } from './node/owed.ts'
import { hasFixtures } from './plan/fixtures.ts'
import type { Plan } from './plan/plan.ts'
import { handshaken, listenersChanged } from './node/refusing.ts'
import { withoutConnection } from './node/subscribing.ts'
import { worldOf, type World } from './node/world.ts'
import { serveOwed, serveRequest } from './rpc/serve.ts'
import { withFixtures } from './simulation/fixtures.ts'
import { follow } from './simulation/follow.ts'
import { occurred } from './simulation/observe.ts'
import { operate } from './simulation/operate.ts'
import { emptyJournal } from './simulation/journal.ts'
import { startProgress } from './scenario/progress.ts'
import type { Settings } from './settings/settings.ts'
import {
  type Part,
  type Refusal,
  type Simulation,
  type SimulationWorld,
  type Turn,
  commanded,
  parts,
  withBug,
  withEffects,
  withNode,
  withOutputs,
} from './simulation/turn.ts'
import { served } from './simulation/served.ts'
import type { ChainEvent } from './chain/event.ts'
import { happened } from './simulation/attending.ts'
import { abandonMining } from './node/mining.ts'

type Beginning = {
  readonly settings: Settings
  readonly genesis: Genesis
  readonly plan: Plan
  readonly generation?: number
}

/**
 * Returns a simulation before its first input. Throws if the genesis or the fixtures are invalid.
 */
export function createSimulation(world: World, beginning: Beginning): Simulation {
  return allOf(buildSimulation(world, beginning))
}

/**
 * Returns whether a chain builds its fixtures with its first input (`furnish`), which can wait for state of
 * the forked chain, instead of beginning with them.
 */
export function furnishesLater({ fork }: Pick<Genesis, 'fork'>, { fixtures }: Pick<Plan, 'fixtures'>): boolean {
  return fork !== undefined && hasFixtures(fixtures)
}

/**
 * Returns the same in pieces: the fixtures can be thousands of transactions. On a fork they wait for the first
 * input, and so does the first block.
 */
export function* buildSimulation(
  world: World,
  { settings, genesis, plan, generation = 1 }: Beginning,
): Work<Simulation> {
  const bare = createNode(world, settings, genesis)
  const node = furnishesLater(genesis, plan)
    ? { ...bare, agenda: emptyAgenda }
    : yield* withFixtures(world, bare, plan.fixtures)
  return {
    node,
    plan,
    progress: { ...startProgress(plan, { timeMs: 0n, height: node.chain.height }), generation },
    journal: emptyJournal,
  }
}

/**
 * The result of an input. If `wanted` or `needs` is set, the input had no effect: fetch the wanted
 * state or load the part of the program, then submit it again.
 */
export type Simulated = {
  readonly simulation: Simulation
  readonly outputs: readonly Output[]
  /** The chain's events; members of a fleet send them to their own clients. */
  readonly events?: readonly ChainEvent[]
  /** The reason why an operator's command had no effect. */
  readonly refusal?: Refusal
  readonly wanted?: readonly WantedPart[]
  readonly needs?: Part
}

/**
 * Returns the simulation after an input, and its outputs. Never throws: if a bug does, the
 * simulation is unchanged, an incident is logged, and a request is answered with it.
 */
export function simulate(world: SimulationWorld, simulation: Simulation, input: Input): Simulated {
  try {
    return learnedOrCarriedOut(worldOf(world, simulation.node.settings), simulation, input)
  } catch (error) {
    return incidentOf(simulation, input, error)
  }
}

function learnedOrCarriedOut(world: SimulationWorld, simulation: Simulation, input: Input): Simulated {
  const { app } = simulation.node.chain
  if (input.kind === 'learned') {
    world.app.learn?.(app, input.facts)
    return { simulation, outputs: [] }
  }
  // Discard state that was wanted only by reads since the last input.
  if (app.forked !== undefined) takeWanted(app.forked)
  const after = carriedOutOrIncident(world, simulation, input)
  const needs = parts.find((name) => takeIsWanted(world[name]))
  if (needs !== undefined) return { simulation, outputs: [], needs }
  const wanted = app.forked === undefined ? [] : takeWanted(app.forked)
  return wanted.length === 0 ? after : { simulation, outputs: [], wanted }
}

function carriedOutOrIncident(
  world: World,
  simulation: Simulation,
  input: Exclude<Input, { kind: 'learned' }>,
): Simulated {
  try {
    return carriedOut(world, simulation, input)
  } catch (error) {
    return incidentOf(simulation, input, error)
  }
}

/** Returns the simulation unchanged except for its number of incidents. */
function incidentOf(simulation: Simulation, input: Input, error: unknown): Simulated {
  const { node, number, output } = withIncident(
    simulation.node,
    `input ${input.seq} (${input.kind})\n${thrownInFull(error)}`,
  )
  const replies = input.kind === 'request' ? [incidentReply(input.seq, number)] : []
  return {
    simulation: { ...simulation, node },
    outputs: [output, ...replies],
    ...(input.kind === 'operator' && { refusal: { kind: 'bug', incident: number } }),
  }
}

function carriedOut(world: World, simulation: Simulation, input: Exclude<Input, { kind: 'learned' }>): Simulated {
  const now = input.timeMs > simulation.node.nowMs ? input.timeMs : simulation.node.nowMs
  const start: Turn = { simulation, outputs: [], events: [], told: 0 }
  const passed = drain(world, start, now)
  const entered = enter(world, withNow(passed, now), input)
  const settled = follow(world, drain(world, wake(world, entered, 0), now))
  const { simulation: after, outputs, events, refusal } = drain(world, settled, now)
  const leaving = [...outputs, ...listenersChanged(simulation.node, after.node), wakeOf(after)]
  return { simulation: after, outputs: leaving, events, ...(refusal !== undefined && { refusal }) }
}

function withNow(turn: Turn, nowMs: bigint): Turn {
  const { node } = turn.simulation
  return node.nowMs === nowMs ? turn : withNode(turn, { ...node, nowMs })
}

function enter(world: World, turn: Turn, input: Exclude<Input, { kind: 'learned' }>): Turn {
  const { node } = turn.simulation
  switch (input.kind) {
    case 'request':
      return served(world, turn, serveRequest(world, node, input))
    case 'tick':
      return minedOn(world, withNode(turn, withLeap(node, input.leaptMs)))
    case 'connected': {
      const { connection, side, remote, session, client } = input
      const one = { side, remote, session, ...(client && { client }) }
      const open = withNode(turn, { ...node, connections: new Map([...node.connections, [connection, one]]) })
      return occurred(world, open, { type: 'ws', what: 'open', side, query: undefined })
    }
    case 'handshake': {
      const { node: next, output, refusedBy: by } = handshaken(world, node, input)
      const answered = withEffects(turn, effects(next, [output]))
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
    case 'operator':
      return operate(world, turn, input)
    case 'happened':
      return happened(world, turn, input)
    case 'performed': {
      const owed = wokenByPerformed(node, input.id)
      return owed === undefined ? turn : served(world, turn, serveOwed(world, node, owed, input.result))
    }
    default:
      return unreachable(input)
  }
}

/**
 * Answers the owed replies that waited for the turn's events, without the first `known`; their
 * answers may cause more events.
 */
function wake(world: World, turn: Turn, known: number): Turn {
  if (turn.simulation.node.owed.length === 0) return turn
  let next = turn
  for (const owed of wokenByEvents(turn.simulation.node, turn.events.slice(known))) {
    next = answerOwed(world, next, owed, 'event')
  }
  return next
}

function answerOwed(world: World, turn: Turn, owed: Owed, woken: 'event' | 'timeout'): Turn {
  const { node } = turn.simulation
  return node.owed.includes(owed) ? served(world, turn, serveOwed(world, node, owed, woken)) : turn
}

/** Executes the agenda's entries that are due up to a time, each at its own time. */
function drain(world: World, turn: Turn, untilMs: bigint): Turn {
  let next = turn
  for (;;) {
    const { node } = next.simulation
    const due = nextDue(node.agenda, untilMs)
    if (due === undefined) return next
    const nowMs = due.timeMs > node.nowMs ? due.timeMs : node.nowMs
    const taken = withNode(next, { ...node, nowMs, agenda: removeDue(node.agenda, due) })
    try {
      const done = carryOutDue(world, taken, due.item)
      next = follow(world, wake(world, done, taken.events.length))
    } catch (error) {
      // The entry is off the agenda: if it stayed, it would fail every later input.
      next = withBug(taken, `agenda: ${due.item.type}`, error).turn
    }
  }
}

function carryOutDue(world: World, turn: Turn, due: Due): Turn {
  const { node } = turn.simulation
  switch (due.type) {
    case 'command':
      return commanded(world, turn, { by: 'agenda', command: due.command })
    case 'interval': {
      if (due.epoch !== node.intervalEpoch) return turn
      const waiting = due.decided ? undefined : postponed(world, node)
      if (waiting !== undefined) return withNode(turn, waiting)
      const made = commanded(world, turn, { by: 'interval', command: { type: 'produceBlock' } })
      return withNode(made, withPace(world, made.simulation.node))
    }
    case 'deliver':
      return withOutputs(turn, [due.output])
    case 'giveUp': {
      const owed = owedTo(node, due.seq)
      return owed === undefined ? turn : answerOwed(world, turn, owed, 'timeout')
    }
    case 'endFault':
      return withEffects(turn, faultEnded(node, due.name))
    case 'plan':
      return turn
    default:
      return unreachable(due)
  }
}

/**
 * Returns the turn after the next slice of the oldest mining job. If the slice fails, the job is
 * cancelled and its caller gets a response.
 */
function minedOn(world: World, turn: Turn): Turn {
  const { node } = turn.simulation
  if ((node.mining ?? []).length === 0) return turn
  const after = commanded(world, turn, { by: 'mining', command: { type: 'mineOn' } })
  return after.simulation.node === node ? withNode(after, abandonMining(node)) : after
}

/** Returns the output with the time at which the agenda's next entry is due, and whether work is left until then. */
function wakeOf({ node, progress }: Simulation): Output {
  const works = (node.mining ?? []).length > 0 || progress.goesOn !== undefined
  return { kind: 'wake', atMs: nextDue(node.agenda)?.timeMs, ...(works && { works }) }
}
