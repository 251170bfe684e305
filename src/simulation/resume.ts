/**
 * What of a simulation outlives its process, and how a running one takes it up. Connections and
 * what is owed to them belong to the process; everything else belongs to the chain.
 */
import type { HeldState } from '../app/closedStates.ts'
import type { AppState } from '../app/state.ts'
import { appHashOf } from '../app/multiStore.ts'
import { storePacker, storeUnpacker, type SavedStores } from '../app/savedStores.ts'
import { equalBytes } from '../data/bytes.ts'
import { remembered } from '../data/remembered.ts'
import { segmentsMapper } from '../data/segments.ts'
import { addDue, agendaEntries, removeDueWhere, type AgendaEntry } from '../data/agenda.ts'
import type { Chain, Genesis } from '../chain/chain.ts'
import { indexer, withoutIndexes } from '../chain/indexing.ts'
import { SimError } from '../errors.ts'
import type { Due, Node } from '../node/node.ts'
import { withPace } from '../node/pace.ts'
import { startProgress } from '../scenario/progress.ts'
import type { World } from '../node/world.ts'
import type { Simulation } from './turn.ts'

/** A simulation as plain data: what its marks stand for comes beside it. */
export type Resting = { readonly simulation: Simulation; readonly stores: readonly SavedStores[] }

/** Returns the simulation without its connections and what is owed to them, as plain data. */
export function resting(simulation: Simulation): Resting {
  return packed(withoutConnections(simulation))
}

/** Returns the simulation without its connections and what is owed to them. */
export function withoutConnections(simulation: Simulation): Simulation {
  const { node } = simulation
  return {
    ...simulation,
    node: {
      ...node,
      connections: new Map(),
      subscriptions: { comet: new Map(), eth: new Map() },
      owed: [],
      held: [],
      ...(node.mining !== undefined && { mining: [] }),
      agenda: removeDueWhere(node.agenda, isForClient),
    },
  }
}

/**
 * Returns the whole simulation as plain data: without the indexes of its chains, and with what each
 * block changed in place of the stores of every height.
 */
export function packed(simulation: Simulation): Resting {
  const { pack, saved } = storePacker()
  const states = segmentsMapper<HeldState>(ofStates(pack))
  return {
    simulation: withChains(withoutReads(simulation), ({ history, app, ...chain }) => {
      const bare = withoutIndexes(history)
      // In this order, so that the newest state follows those before it.
      return { ...chain, history: { ...bare, states: states(bare.states) }, app: pack(app) }
    }),
    stores: saved,
  }
}

/** What a read that runs elsewhere sees is not kept: its client does not outlive the process. */
function withoutReads(simulation: Simulation): Simulation {
  const { node } = simulation
  if (node.owed.every(({ read }) => read === undefined)) return simulation
  const owed = node.owed.map((one) => (one.read === undefined ? one : { ...one, read: { ends: one.read.ends } }))
  return { ...simulation, node: { ...node, owed } }
}

/**
 * Returns a simulation that was packed, its indexes and stores made again. Throws `BrokenStores`
 * when a chain's stores do not come to its app hash.
 */
export function awoken({ simulation, stores }: Resting): Simulation {
  const unpack = storeUnpacker(stores)
  const [states, indexed] = [segmentsMapper<HeldState>(ofStates(unpack)), indexer()]
  return withChains(simulation, ({ history, app, ...chain }) => {
    const whole = unpack(app)
    // Before the first block there is nothing to commit to; other applications have no stores at
    // all.
    const isCommitted = whole.height > 0n && whole.committed.size > 0
    if (isCommitted && !equalBytes(appHashOf(whole.committed), whole.appHash)) {
      throw new BrokenStores(whole.height)
    }
    return {
      ...chain,
      history: indexed({ ...history, states: states(history.states) }),
      app: whole,
    }
  })
}

/** A state that is held as changes has no stores of its own. */
function ofStates(change: (state: AppState) => AppState): <Held extends object>(held: Held) => Held {
  return (held) => ('committed' in held ? (change(held as unknown as AppState) as unknown as typeof held) : held)
}

function withChains(simulation: Simulation, change: (chain: Chain) => Chain): Simulation {
  const { node } = simulation
  const changed = remembered(change)
  const checkpoints = node.checkpoints.map((one) => ({ ...one, chain: changed(one.chain) }))
  return {
    ...simulation,
    node: { ...node, chain: changed(node.chain), origin: changed(node.origin), checkpoints },
  }
}

/**
 * Returns a saved simulation in place of a running one. Chain, mempool, clock, filters, checkpoints
 * and agenda are the saved ones; so are scenario and faults where both follow the same plan.
 * Settings, the pace of blocks, connections and owed replies stay. Simulation time is the saved
 * one, and a chain whose blocks carry wall time goes on with today's. Throws `ForeignState` when
 * the two do not have the same genesis.
 */
export function resumed(world: World, running: Simulation, saved: Simulation): Simulation {
  assertSameGenesis(running.node.chain.genesis, saved.node.chain.genesis)
  const kept = running.plan.digest === saved.plan.digest ? saved : restarted(running, saved)
  return {
    ...kept,
    node: withPace(world, withClients(running.node, withSettings(running.node, kept.node))),
  }
}

/**
 * The saved chain under a scenario that it has not seen: from that one's first step, without
 * faults.
 */
function restarted({ plan, node: { faults } }: Simulation, saved: Simulation): Simulation {
  const { node } = saved
  const agenda = removeDueWhere(node.agenda, ({ item }) => item.type === 'endFault' || item.type === 'plan')
  const now = { timeMs: node.nowMs, height: node.chain.height }
  return { ...saved, plan, progress: startProgress(plan, now), node: { ...node, agenda, faults } }
}

function withSettings(running: Node, saved: Node): Node {
  const { policy, clock } = running.chain
  const wallMs = clock.startMs + running.nowMs
  return {
    ...saved,
    settings: running.settings,
    chain: {
      ...saved.chain,
      policy,
      clock: { ...saved.chain.clock, startMs: wallMs - saved.nowMs },
    },
  }
}

/** Replies that were due so long after now are due so long after the saved now. */
function withClients(running: Node, saved: Node): Node {
  const due = [...agendaEntries(running.agenda)].filter(isForClient)
  const agenda = due.reduce(
    (before, { timeMs, item }) => addDue(before, timeMs - running.nowMs + saved.nowMs, item),
    saved.agenda,
  )
  const { connections, subscriptions, owed, held, mining } = running
  const counters = {
    ...saved.counters,
    subscription: Math.max(running.counters.subscription, saved.counters.subscription),
    perform: Math.max(running.counters.perform, saved.counters.perform),
    // Absent until a job was needed: a state that is saved again has the same bytes.
    ...(running.counters.mining !== undefined && {
      mining: Math.max(running.counters.mining, saved.counters.mining ?? 1),
    }),
  }
  return {
    ...saved,
    connections,
    subscriptions,
    owed,
    held,
    agenda,
    counters,
    ...(mining !== undefined && { mining }),
  }
}

function isForClient({ item }: AgendaEntry<Due>): boolean {
  return item.type === 'deliver' || item.type === 'giveUp'
}

/** Throws `ForeignState` where a saved chain began otherwise than a running one. */
export function assertSameGenesis(running: Genesis, saved: Genesis): void {
  if (running.document === saved.document) return
  throw new ForeignState(
    running.chainId === saved.chainId
      ? `another genesis of chain ${saved.chainId}`
      : `chain ${saved.chainId}, not of ${running.chainId}`,
  )
}

/** A state whose chain began from another genesis. */
export class ForeignState extends SimError {
  constructor(what: string) {
    super('FOREIGN_STATE', `the state is that of ${what}`, {
      hint: 'Start with the profile, seed, accounts, validators and chain id that it was made with, or without it.',
    })
  }
}

/** Stores that are not those that the chain committed to. */
export class BrokenStores extends SimError {
  constructor(height: bigint) {
    super('BROKEN_STORES', `the stores of height ${height} do not have its app hash`, {
      hint: 'The file was written by another version of chainstage: make it again.',
    })
  }
}
