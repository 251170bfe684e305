/** One chain with its queue, clock and connections: the main chain or a session. */
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import { SimError } from '../errors.ts'
import { furnishesLater } from '../simulation.ts'
import { resumed } from '../simulation/resume.ts'
import { createConsoleLog } from './consoleLog.ts'
import type { Fork } from './fork/forkParts.ts'
import { createExchanges, type Exchange } from './exchanges.ts'
import type { Keeping } from './inputLog/keeping.ts'
import { createPace, laterOf } from './pace.ts'
import { peek } from './peek.ts'
import { watchGarbage } from './process/garbage.ts'
import { type AskedTask, perform, performOwed } from './perform.ts'
import type { Playing } from './playback.ts'
import { createQueue, type Queue, type QueueOptions, type Sinks } from './queue.ts'
import { createUsage, resting, watched } from './usage.ts'
import { createSockets } from './ws.ts'
import { createListeners } from './listeners.ts'
import { createOperator, type Operator } from './operator.ts'
import type { Instance, Operated } from './ports.ts'
import type { Simulation } from '../simulation/turn.ts'
import type { Fleet } from './fleet/fleet.ts'

export type InstanceOptions = {
  readonly session: string
  readonly world: World
  /** The simulation before its first input; sessions share it. */
  readonly first: Simulation
  readonly home: string | undefined
  readonly log: Sinks['log']
  readonly record: Sinks['record']
  /** Whether inputs are recorded; a saved state then cannot be loaded. */
  readonly isRecorded?: boolean
  /** Opens and closes listeners; absent for sessions, which have no listeners. */
  readonly listen?: Sinks['listen']
  /** The playback of a recording that answers instead of the chain. */
  readonly playing?: Playing
  /** The chain that this chain is forked from. */
  readonly forking?: Fork
  /** A saved simulation that the caller continues from at once. */
  readonly state?: Simulation | undefined
  /** Called for every answered request. */
  readonly onAnswer?: (exchange: Exchange) => void
  /** Called with a saved simulation before the chain continues from it. */
  readonly onResume?: (saved: Simulation) => void
  /** The fleet of processes that share this chain. */
  readonly fleet?: Fleet | undefined
  /** Saves inputs beyond the end of the process. */
  readonly keeping?: Keeping | undefined
  /** The kind of time (`pace.ts`), if it is not that of the settings. Tests move time with it. */
  readonly pace?: string
  /** Runs tasks of the node; by default in this process and its threads. */
  readonly perform?: typeof performOwed
}

/** Returns a chain that is ready to serve and has processed its first tick. */
export function createInstance(options: InstanceOptions): Instance {
  const { session, world, home, log, record, isRecorded = false, listen, playing } = options
  const first = options.fleet === undefined ? options.first : withoutLongReads(options.first)
  const listeners = createListeners()
  if (first.node.settings.ethEnableProfiling) watchGarbage()
  const exchanges = createExchanges(listeners.tell, options.onAnswer)
  const { pace: paced, clockSpeed } = first.node.settings
  const pace = createPace(options.pace ?? paced, (leaptMs) => tick(queue, leaptMs), clockSpeed)
  const usage = createUsage()
  const operator = createOperator(world)
  const peekNow = peeking(world, () => queue.simulation().node)
  const spoken = createConsoleLog({ world, peek: peekNow, print: (line) => log('info', `console.log: ${line}`) }, first)
  const sinks: Sinks = {
    push: (connections, text) => sockets.push(connections, text),
    close: (connection, how) => sockets.close(connection, how),
    listen: listen ?? (() => {}),
    log,
    wake: session === '' ? pace.wake : resting(pace, usage, first.node.settings),
    record: (input, outputs, simulation) => {
      if (first.node.settings.consoleLog) spoken.saw(input, simulation)
      record(input, outputs, simulation)
    },
    perform: (id, task) => void performFor(queue, { id, task }, options),
  }
  const member = options.fleet?.open({
    ...{ session, world, first, sinks, pace, usage, watching: exchanges.watching },
    ...{ perform: (task) => perform(task, home), operated: operator.report },
  })
  const simulated = exchanges.watching(operator.simulate)
  const inner = member?.queue ?? queueOf(options, operator, { nowMs: pace.nowMs, sinks, simulate: simulated })
  const queue = watched(usage, answeringFirst(options, inner, sinks.push))
  const sockets = createSockets({
    queue,
    settings: () => queue.simulation().node.settings,
    wallSeconds: () => Math.floor(Date.now() / 1000),
  })
  const operate = operator.operate(queue, playing === undefined ? 'waits' : 'done')
  const furnished = furnishing(options, operate)
  queue.enter({ kind: 'tick' })
  return {
    ...{ session, world, queue, sockets, exchanges },
    ...{ simulation: queue.simulation, enter: queue.enter, operate },
    nowMs: () => laterOf(queue.simulation().node.nowMs, (member ?? pace).nowMs()),
    ...{ playback: playing?.player, peek: peekNow, ...fetching(options, queue) },
    idleMs: usage.idleMs,
    advance: member?.advance ?? ((ms) => pace.advance(ms).then(() => ({ kind: 'done' }))),
    become: (saved) => {
      if (isRecorded || playing !== undefined) throw new RecordingRuns()
      if (member !== undefined) throw new FleetRuns()
      const next = resumed(world, queue.simulation(), saved)
      options.onResume?.(next)
      spoken.become(next)
      pace.setNow(next.node.nowMs)
      queue.become(next)
      queue.enter({ kind: 'tick' })
    },
    kept: options.keeping?.kept ?? keepingNothing,
    onChange: listeners.add,
    caughtUp: member?.caughtUp ?? (() => Promise.resolve({ kind: 'done' })),
    joined: member?.joined ?? furnished,
    leads: () => member === undefined || member.term() !== undefined,
    stop: (code) => {
      pace.stop()
      sockets.stop(code)
      queue.stop()
      operator.stop()
      listeners.clear()
    },
  }
}

/** Enters a tick. A leap of the machine's clock matters only to a chain whose blocks carry wall time. */
function tick({ enter, simulation }: Queue, leaptMs: number | undefined): void {
  if (leaptMs === undefined) enter({ kind: 'tick' })
  else if (simulation().node.chain.clock.source === 'wall') enter({ kind: 'tick', leaptMs })
}

function peeking(world: World, node: () => Node): Instance['peek'] {
  return (side, method, params) => peek(world, node(), { side, method, params })
}

async function performFor(
  queue: Queue,
  asked: AskedTask,
  { home, perform: run = performOwed }: InstanceOptions,
): Promise<void> {
  const result = await run(() => queue.simulation().node, asked, home)
  queue.enter({ kind: 'performed', id: asked.id, result })
}

/** Turns long reads off: members of a fleet reach the same state only if reads run immediately. */
function withoutLongReads(simulation: Simulation): Simulation {
  const { node } = simulation
  return { ...simulation, node: { ...node, settings: { ...node.settings, readSlice: 0 } } }
}

const keepingNothing = () => Promise.resolve()

/** Returns, on a fork, how reads without an input have the state of the other chain fetched. */
function fetching({ forking, world }: InstanceOptions, { enter }: Queue): Pick<Instance, 'fetch'> {
  if (forking === undefined) return {}
  const { learn } = forking.learningOf(world, forking)
  return { fetch: async (wanted) => enter({ kind: 'learned', facts: await learn(wanted, 0) }) }
}

/** Returns the queue of a chain that no other process shares. */
function queueOf(
  { session, world, first, forking, keeping }: InstanceOptions,
  operator: Operator,
  rest: Pick<QueueOptions, 'nowMs' | 'sinks' | 'simulate'>,
): Queue {
  const learning = forking === undefined ? undefined : operator.told(forking.learningOf(world, forking))
  return createQueue({ session, simulation: first, ...rest, learning, keeper: keeping })
}

/** Returns the queue, wrapped in the playback or fork that answers requests first, if any. */
function answeringFirst({ world, playing, forking }: InstanceOptions, queue: Queue, push: Sinks['push']): Queue {
  if (playing !== undefined) return playing.createQueue({ ...playing, world, queue, push })
  return forking === undefined ? queue : forking.createQueue({ ...forking, world, queue })
}

/** Enters the fixtures of a forked chain as its first input. Resolves when they are built. */
function furnishing({ state, first: { node, plan } }: InstanceOptions, operate: Instance['operate']): Promise<void> {
  if (state !== undefined || !furnishesLater(node.chain.genesis, plan)) return Promise.resolve()
  const furnished = operate('start', { type: 'furnish' }).settled.then(assertFurnished)
  // Whoever needs the fixtures awaits `joined`.
  furnished.catch(() => {})
  return furnished
}

/** Throws `NotFurnished` if the fixtures of a forked chain could not be built. */
function assertFurnished(operated: Operated): void {
  if (operated.kind === 'bug') throw new NotFurnished(`see incident ${operated.incident}`)
  if (operated.kind === 'refused') throw new NotFurnished(operated.message, operated.hint)
}

const furnishHint =
  'Check that the forked chain responds. A recording has the state of fixtures if it was made with their scenario: ' +
  'chainstage record SCENARIO --level fork … -- PROGRAM.'

/** The forked chain rejected a fixture, or did not tell the state that it needs. */
export class NotFurnished extends SimError {
  constructor(why: string, hint = furnishHint) {
    super('FIXTURE_FAILED', `the fixtures cannot be built on the fork: ${why}`, { hint })
  }
}

/** A saved state was to be loaded during a recording or playback, which consists of inputs only. */
export class RecordingRuns extends SimError {
  constructor() {
    super('RECORDING_RUNS', 'cannot load a saved state during recording or playback', {
      hint: 'Stop the recording or playback first.',
    })
  }
}

/** A saved state was to be loaded in a fleet, where it would not reach the other members. */
class FleetRuns extends SimError {
  constructor() {
    super('FLEET_RUNS', 'a member of a fleet cannot load a saved state', {
      hint: 'Use evm_snapshot and evm_revert instead: they apply to every member.',
    })
  }
}
