/**
 * The clients of one fleet member. All members hold the same chain, but connections, subscriptions
 * and owed replies belong to one member. So a member has two simulations: the shared one, built
 * from the input log, and this one, which serves the member's clients from it.
 */
import { startProgress } from '../scenario/progress.ts'
import { tellSubscribers } from '../node/apply.ts'
import { emptyAgenda } from '../data/agenda.ts'
import type { InputBody } from '../plan/input.ts'
import type { Plan } from '../plan/plan.ts'
import { concat, type Effects, effects } from '../node/effects.ts'
import { noConnections } from '../node/node.ts'
import { cutAtOnce } from '../node/pushing.ts'
import type { World } from '../node/world.ts'
import { emptyJournal } from './journal.ts'
import { type Simulation, type Turn, withEffects } from './turn.ts'

/** Returns a member's simulation without clients. `noPlan` is a scenario without steps. */
export function noClients(shared: Simulation, noPlan: Plan): Simulation {
  const { mining: _, ...node } = shared.node
  return {
    plan: noPlan,
    progress: startProgress(noPlan, { timeMs: 0n, height: 0n }),
    journal: emptyJournal,
    node: {
      ...node,
      ...noConnections,
      agenda: emptyAgenda,
    },
  }
}

/**
 * Returns the clients' simulation on top of a newer shared one. Push faults count only this
 * member's events, and restart when the rules change.
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

/** Returns the rules that are on in the shared simulation but not yet in the clients' one. */
export function newRules({ node: { faults } }: Simulation, shared: Simulation) {
  const known = new Set(faults.active.map(({ rule }) => rule))
  return shared.node.faults.active.flatMap(({ rule }) => (known.has(rule) ? [] : [rule]))
}

/** Returns the turn after events were sent to subscribers and new rules closed connections. */
export function happened(
  world: World,
  turn: Turn,
  { events, rules }: Extract<InputBody, { readonly kind: 'happened' }>,
): Turn {
  const cut = rules.reduce(
    (before: Effects, rule) => concat(before, cutAtOnce(before.node, rule)),
    effects(turn.simulation.node),
  )
  const told = concat(cut, tellSubscribers(world, cut.node, events))
  return withEffects(turn, { ...told, events })
}
