/** One chain with its queue, its clock and its connections: the main one, or a session. */
import type { InputBody, OperatorCommand, Side } from '../node/input.ts'
import type { Output } from '../node/output.ts'
import type { World } from '../node/world.ts'
import { SimError } from '../errors.ts'
import { resumed } from '../simulation/resume.ts'
import { simulate, type Simulation } from '../simulation.ts'
import { createConsoleLog } from './consoleLog.ts'
import { createForkQueue } from './fork/forkQueue.ts'
import { learningOf, type Forking } from './fork/forking.ts'
import { createExchanges, type Exchange, type Exchanges } from './exchanges.ts'
import { createPace } from './pace.ts'
import { peek, type Peeked } from './peek.ts'
import { watchGarbage } from './garbage.ts'
import { perform } from './perform.ts'
import { createPlayback, type Playing } from './playback.ts'
import { createQueue, type OnReply, type Queue, type Sinks } from './queue.ts'
import { createSockets, type Sockets } from './ws.ts'

export type Instance = {
  /** '' is the main chain. */
  readonly session: string
  readonly world: World
  readonly queue: Queue
  readonly sockets: Sockets
  readonly exchanges: Exchanges
  readonly simulation: () => Simulation
  readonly enter: Queue['enter']
  /** Enters an operator's command; returns why it was refused, or undefined. */
  readonly operate: (by: string, command: OperatorCommand) => string | undefined
  /** Answers a call as a client would be answered, with every method on, and changes nothing. */
  readonly peek: (side: Side, method: string, params: unknown) => Peeked
  /** Moves simulation time where it stands (`pace: manual`), in milliseconds. */
  readonly advance: (ms: number) => Promise<void>
  /**
   * Takes up a saved simulation. Throws `ForeignState`, or `RecordingRuns`; nothing has changed
   * then.
   */
  readonly become: (saved: Simulation) => void
  readonly onChange: (listener: () => void) => () => void
  /** Ends it with its connections; they are told a code if there is one. */
  readonly stop: (code?: number) => void
}

export type InstanceOptions = {
  readonly session: string
  readonly world: World
  /** A simulation before its first input: forks share it. */
  readonly first: Simulation
  readonly home: string | undefined
  readonly log: Sinks['log']
  readonly record: Sinks['record']
  /** Whether the inputs are written down: what is no input cannot be taken up then. */
  readonly isRecorded?: boolean
  /** Opens and closes listeners; a session has none of its own. */
  readonly listen?: Sinks['listen']
  /** Answers in place of the chain. */
  readonly playing?: Playing
  /** The chain that this one goes on from. */
  readonly forking?: Forking
  /** Told of every request that is answered. */
  readonly onAnswer?: (exchange: Exchange) => void
}

/** Returns a chain that serves as soon as inputs enter; it has seen its first tick. */
export function createInstance(
  options: InstanceOptions,
): Instance {
  const {
    session, world, first, home, log, record, isRecorded = false, listen, playing, forking,
  } = options
  const listeners = new Set<() => void>()
  if (first.node.settings.ethEnableProfiling) watchGarbage()
  const exchanges = createExchanges(
    () => { for (const listener of listeners) listener() }, options.onAnswer,
  )
  const { pace: paced, clockSpeed } = first.node.settings
  const pace = createPace(paced, () => queue.enter({ kind: 'tick' }), clockSpeed)
  let refusal: string | undefined
  const peekNow: Instance['peek'] = (side, method, params) => peek(
    world, queue.simulation().node, { side, method, params }
  )
  const spoken = createConsoleLog(peekNow, (line) => log('info', `console.log: ${line}`))
  const sinks: Sinks = {
    push: (connections, text) => sockets.push(connections, text),
    close: (connection, how) => sockets.close(connection, how),
    listen: listen ?? (() => {}),
    log, wake: pace.wake,
    record: (input, outputs, simulation) => {
      if (input.kind === 'operator') refusal = refusalOf(input.by, outputs)
      if (first.node.settings.consoleLog) spoken.saw(input, simulation)
      record(input, outputs, simulation)
    },
    perform: (id, task) => {
      void perform(task, home).then((result) => queue.enter({ kind: 'performed', id, result }))
    },
  }
  const inner = createQueue({
    session, simulation: first, nowMs: pace.nowMs, sinks,
    ...(forking === undefined ? {} : { learning: learningOf(world, forking) }),
    simulate: exchanges.watching((simulation, input) => simulate(world, simulation, input)),
  })
  const queue = playing !== undefined
    ? createPlayback({ ...playing, world, queue: inner, push: sinks.push })
    : forking !== undefined ? createForkQueue({ ...forking, world, queue: inner }) : inner
  const sockets = createSockets({
    queue, settings: () => queue.simulation().node.settings,
    wallSeconds: () => Math.floor(Date.now() / 1000),
  })
  queue.enter({ kind: 'tick' })
  return {
    session, world, queue, sockets, exchanges, simulation: queue.simulation,
    enter: (body: InputBody, onReply?: OnReply) => queue.enter(body, onReply),
    operate: (by, command) => {
      refusal = undefined
      queue.enter({ kind: 'operator', by, command })
      return refusal
    },
    peek: peekNow,
    advance: pace.advance,
    become: (saved) => {
      if (isRecorded || playing !== undefined) throw new RecordingRuns()
      const next = resumed(world, queue.simulation(), saved)
      pace.setNow(next.node.nowMs)
      queue.become(next)
      queue.enter({ kind: 'tick' })
    },
    onChange: (listener) => {
      listeners.add(listener)
      return () => { listeners.delete(listener) }
    },
    stop: (code) => { pace.stop(); sockets.stop(code); queue.stop(); listeners.clear() },
  }
}

/** A refused command says so in the log (`commanded`), and nowhere else. */
function refusalOf(by: string, outputs: readonly Output[]): string | undefined {
  for (const output of outputs) {
    if (output.kind !== 'log' || output.level !== 'error') continue
    const why = /^(.*?): \w+ was refused: ([^]*)$/.exec(output.text)
    if (why?.[1] === by) return why[2]
  }
  return undefined
}

/** A recording has no place for a saved state: it would be missing among the inputs. */
export class RecordingRuns extends SimError {
  constructor() {
    super('RECORDING_RUNS', 'a saved state cannot be taken up while a recording is written or played', {
      hint: 'A recording holds all from its beginning: end it first.',
    })
  }
}
