/**
 * The clients of one member of a fleet. Every member holds the same chain; connections,
 * subscriptions and the reads that wait are each member's own. So a member has two simulations: the
 * shared one, which the log of inputs leads to, and this one, which serves its clients from it.
 */
import { startProgress } from '../scenario/progress.ts'
import { tellSubscribers } from '../node/apply.ts'
import { emptyAgenda } from '../data/agenda.ts'
import type { InputBody } from '../node/input.ts'
import type { Plan } from '../node/plan.ts'
import type { Node } from '../node/node.ts'
import { cutAtOnce, type Pushed } from '../node/pushing.ts'
import type { World } from '../node/world.ts'
import { emptyJournal } from './journal.ts'
import type { Simulation, Turn } from './turn.ts'

/** Returns the clients of a member that has none yet. `noPlan` is a scenario without steps. */
export function noClients(shared: Simulation, noPlan: Plan): Simulation {
  const { mining: _, ...node } = shared.node
  const { counters } = node
  return {
    plan: noPlan,
    progress: startProgress(noPlan, { timeMs: 0n, height: 0n }),
    journal: emptyJournal,
    node: {
      ...node,
      connections: new Map(),
      subscriptions: { comet: new Map(), eth: new Map() },
      owed: [],
      held: [],
      agenda: emptyAgenda,
      counters,
    },
  }
}

/**
 * Returns the clients over a shared simulation that has moved on. Rules on what subscribers are
 * sent count this member's alone, from the moment the rules change.
 */
export function attending(clients: Simulation, shared: Simulation): Simulation {
  const { connections, subscriptions, owed, held, agenda, counters, faults } = clients.node
  const { mining: _, ...node } = shared.node
  const isSame = faults.active.length === node.faults.active.length && newRules(clients, shared).length === 0
  return {
    ...clients,
    progress: startProgress(clients.plan, { timeMs: 0n, height: 0n }),
    journal: emptyJournal,
    node: {
      ...node,
      connections,
      subscriptions,
      owed,
      held,
      agenda,
      counters,
      faults: isSame ? faults : node.faults,
    },
  }
}

/** Returns the rules that are on in the shared simulation and not yet for the clients. */
export function newRules({ node: { faults } }: Simulation, shared: Simulation) {
  const known = new Set(faults.active.map(({ rule }) => rule))
  return shared.node.faults.active.flatMap(({ rule }) => (known.has(rule) ? [] : [rule]))
}

/** Returns the turn whose subscribers have heard of events, and whose cut connections are gone. */
export function happened(
  world: World,
  turn: Turn,
  { events, rules }: Extract<InputBody, { readonly kind: 'happened' }>,
): Turn {
  const start: Pushed = { node: turn.simulation.node, outputs: [] }
  const cut = rules.reduce((before, rule) => after(before, (node) => cutAtOnce(node, rule)), start)
  const told = after(cut, (node) => tellSubscribers(world, node, events))
  return {
    ...turn,
    simulation: { ...turn.simulation, node: told.node },
    outputs: [...turn.outputs, ...told.outputs],
    events: [...turn.events, ...events],
  }
}

function after(before: Pushed, work: (node: Node) => Pushed): Pushed {
  const { node, outputs } = work(before.node)
  return { node, outputs: [...before.outputs, ...outputs] }
}
