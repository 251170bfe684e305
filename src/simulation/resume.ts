/**
 * Saves a simulation and resumes it in another process. Connections and owed replies stay behind,
 * because they belong to the process.
 */
import type { HeldState } from '../app/closedStates.ts'
import type { AppState } from '../app/state.ts'
import { appHashOf } from '../app/multiStore.ts'
import { storePacker, storeUnpacker, type SavedStores } from '../app/savedStores.ts'
import { equalBytes } from '../data/bytes.ts'
import { remembered } from '../data/remembered.ts'
import { segmentsMapper } from '../data/closedChunks.ts'
import { type HeldBytes, loaded } from '../data/segments.ts'
import { addDue, agendaEntries, removeDueWhere, type AgendaEntry } from '../data/agenda.ts'
import type { Chain, Genesis } from '../chain/chain.ts'
import { historyMapper } from '../chain/heldHistory.ts'
import { indexer, withoutIndexes } from '../chain/indexing.ts'
import { SimError } from '../errors.ts'
import { type Due, type MiningJob, noConnections } from '../node/node.ts'
import { abandonMining } from '../node/mining.ts'
import { withPace } from '../node/pace.ts'
import { startProgress } from '../scenario/progress.ts'
import type { World } from '../node/world.ts'
import { loaded as withPlan } from './follow.ts'
import { withRunningSettings } from './resumedSettings.ts'
import type { Simulation } from './turn.ts'

/** A simulation as plain data; `stores` holds the stores that its marks refer to. */
export type Resting = { readonly simulation: Simulation; readonly stores: readonly SavedStores[] }

/** Returns the simulation as plain data, without connections and owed replies. */
export function resting(simulation: Simulation): Resting {
  return packed(withoutConnections(simulation))
}

/**
 * Returns the simulation without connections, owed replies and the mining jobs of clients. The job
 * of a step stays, because the step is not over.
 */
export function withoutConnections(simulation: Simulation): Simulation {
  const { node } = simulation
  return {
    ...simulation,
    node: {
      ...node,
      ...noConnections,
      ...(node.mining !== undefined && { mining: jobsOfPlan(simulation) }),
      agenda: removeDueWhere(node.agenda, isForClient),
    },
  }
}

/** Returns the mining job that the scenario waits for, or nothing. */
function jobsOfPlan({ node, progress }: Simulation): readonly MiningJob[] {
  return (node.mining ?? []).filter(({ id }) => id === progress.mining?.job)
}

/**
 * Returns the whole simulation as plain data, without indexes. Instead of the stores of every
 * height, it holds the changes of each block. `bytesOf` replaces the bytes of old blocks and
 * states; by default, those outside memory are loaded.
 */
export function packed(
  simulation: Simulation,
  bytesOf: (bytes: HeldBytes['bytes']) => HeldBytes['bytes'] = loaded,
): Resting {
  const { begin, pack, saved } = storePacker()
  const held = remembered(({ bytes }: HeldBytes): HeldBytes => ({ bytes: bytesOf(bytes) }), Infinity)
  const moved = historyMapper(held)
  const states = segmentsMapper<HeldState>({ item: ofStates(pack), held })
  return {
    simulation: withChains(withoutReads(simulation), ({ history, app, ...chain }) => {
      const bare = moved(withoutIndexes(history))
      // The order matters: each state builds on the one before, and the newest comes last.
      begin()
      return { ...chain, history: { ...bare, states: states(bare.states) }, app: pack(app) }
    }),
    stores: saved,
  }
}

/** Removes the state of long reads, because their clients end with the process. */
function withoutReads(simulation: Simulation): Simulation {
  const { node } = simulation
  if (node.owed.every(({ read }) => read === undefined)) return simulation
  const owed = node.owed.map((one) => (one.read === undefined ? one : { ...one, read: { ends: one.read.ends } }))
  return { ...simulation, node: { ...node, owed } }
}

/**
 * Returns a packed simulation with its indexes and stores rebuilt. Throws `BrokenStores` if a
 * chain's stores do not match its app hash.
 */
export function awoken({ simulation, stores }: Resting): Simulation {
  const unpack = storeUnpacker(stores)
  const [states, indexed] = [segmentsMapper<HeldState>({ item: ofStates(unpack) }), indexer()]
  return withChains(simulation, ({ history, app, ...chain }) => {
    const whole = unpack(app)
    // There is no app hash before the first block, and other applications have no stores.
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

/** Applies a function to full states. A state held as changes has no stores. */
function ofStates(change: (state: AppState) => AppState): <Held extends object>(held: Held) => Held {
  return (held) => ('committed' in held ? (change(held as unknown as AppState) as unknown as typeof held) : held)
}

/** Returns the chains that a simulation holds, some of them several times. */
export function chainsOf({ node }: Simulation): readonly Chain[] {
  return [node.chain, node.origin, ...node.checkpoints.map(({ chain }) => chain)]
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
 * Returns a saved simulation that replaces a running one.
 * Chain, mempool, clock, block policy, filters, checkpoints and agenda come from the saved one, and
 * so do scenario and faults if both have the same scenario. Settings, connections and owed replies come from
 * the running one, and so does what its settings change in the block policy.
 * Simulation time is the saved one. A chain whose blocks carry wall time continues with today's.
 * Throws `ForeignState` if the two have different genesis documents.
 */
export function resumed(world: World, running: Simulation, saved: Simulation): Simulation {
  assertSameGenesis(running.node.chain.genesis, saved.node.chain.genesis)
  const kept = planned(running, saved)
  const changed = { ...kept, node: withRunningSettings(running.node, kept.node) }
  const { node, ...rest } = withClients(running, changed)
  return { ...rest, node: withPace(world, node) }
}

/**
 * Returns the saved chain with the running scenario. It continues if it has the name of the saved
 * one, as after a reload; another one starts at its first step.
 */
function planned(running: Simulation, saved: Simulation): Simulation {
  const { plan } = running
  if (plan.digest === saved.plan.digest) return saved
  return plan.name === saved.plan.name ? withPlan(saved, plan) : restarted(running, saved)
}

/**
 * Returns the saved chain with the running scenario, which starts at its first step. Faults and
 * block policy are those of the running simulation.
 */
function restarted({ plan, node: { faults, chain } }: Simulation, saved: Simulation): Simulation {
  const { node } = saved
  const agenda = removeDueWhere(node.agenda, ({ item }) => item.type === 'endFault' || item.type === 'plan')
  const now = { timeMs: node.nowMs, height: node.chain.height }
  const begun = { ...node.chain, policy: chain.policy }
  const progress = startProgress(plan, now)
  // The names of validators belong to the chain, which keeps them.
  const facts = { ...progress.facts, joined: saved.progress.facts.joined }
  return {
    ...saved,
    plan,
    progress: { ...progress, facts },
    node: { ...node, given: {}, chain: begun, agenda, faults },
  }
}

/**
 * Moves the clients of the running node to the saved one. Their mining jobs are cut
 * short. Delays of their replies are kept, relative to the saved time.
 */
function withClients({ node: running, progress }: Simulation, saved: Simulation): Simulation {
  const { node } = saved
  const due = [...agendaEntries(running.agenda)].filter(isForClient)
  const agenda = due.reduce(
    (before, { timeMs, item }) => addDue(before, timeMs - running.nowMs + node.nowMs, item),
    node.agenda,
  )
  const { connections, subscriptions, held } = running
  const { owed, cutShort } = abandonMining(running)
  const counters = {
    ...node.counters,
    subscription: Math.max(running.counters.subscription, node.counters.subscription),
    perform: Math.max(running.counters.perform, node.counters.perform),
  }
  const ofClients = (running.mining ?? []).filter(({ id }) => id !== progress.mining?.job)
  const cut = cutShort !== undefined && { cutShort }
  const moved = { ...node, connections, subscriptions, owed, held, agenda, counters, ...cut }
  return withJob({ ...saved, node: moved }, ofClients, running.counters.mining)
}

/**
 * Returns the simulation with the mining job of its scenario alone. The job gets a new id if a client waited
 * for `ended`, a job of the same id. `next` is the id after those of the clients.
 */
function withJob(saved: Simulation, ended: readonly MiningJob[], next: number | undefined): Simulation {
  const { node, progress } = saved
  // Absent unless a job used them, so that a state saved again has the same bytes.
  if (next === undefined && node.mining === undefined) return saved
  const free = Math.max(next ?? 1, node.counters.mining ?? 1)
  const [job] = jobsOfPlan(saved)
  if (job === undefined)
    return { ...saved, node: { ...node, counters: { ...node.counters, mining: free }, mining: [] } }
  const isTaken = ended.some(({ id }) => id === job.id)
  const id = isTaken ? free : job.id
  const counters = { ...node.counters, mining: isTaken ? free + 1 : free }
  const mining = { rest: [], ...progress.mining, job: id }
  return {
    ...saved,
    progress: { ...progress, mining },
    node: { ...node, counters, mining: [{ ...job, id }] },
  }
}

function isForClient({ item }: AgendaEntry<Due>): boolean {
  return item.type === 'deliver' || item.type === 'giveUp'
}

/** Throws `ForeignState` if a saved chain and a running one have different genesis documents. */
function assertSameGenesis(running: Genesis, saved: Genesis): void {
  if (running.document === saved.document) return
  throw new ForeignState(
    running.chainId === saved.chainId
      ? `another genesis of chain ${saved.chainId}`
      : `chain ${saved.chainId}, not to chain ${running.chainId}`,
  )
}

/** A saved state whose chain has another genesis. */
export class ForeignState extends SimError {
  constructor(what: string) {
    super('FOREIGN_STATE', `the saved state belongs to ${what}`, {
      hint: 'Use the profile, seed, accounts, validators and chain id of the saved chain, or start without it.',
    })
  }
}

/** The stores do not match the app hash of the chain. */
export class BrokenStores extends SimError {
  constructor(height: bigint) {
    super('BROKEN_STORES', `the stores at height ${height} do not match the app hash of that height`, {
      hint: 'The file was written by another version of chainstage: save the state again with this version.',
    })
  }
}
