/**
 * The queue of inputs. It stamps an input, passes it to `simulate` and carries out its outputs
 * before it takes the next input. Other parts of the shell only enter inputs and handle outputs.
 */
import type { Fact, WantedPart } from '../app/forked.ts'
import { isExpected, thrownInFull } from '../errors.ts'
import { incidentReply } from '../node/incidents.ts'
import type { InputBody, Input } from '../plan/input.ts'
import type { CloseOutput, Listening, LogLevel, Output, ReplyOutput, Task } from '../node/output.ts'
import { sendHeld, sendLongHeld } from './heldResponses.ts'
import { createListeners } from './listeners.ts'
import { loadPart } from './loadPart.ts'
import { idsOf, stoppedReply, unansweredIds, type Ids } from './stopped.ts'
import type { Part, Simulation } from '../simulation/turn.ts'

/** Handlers of outputs. Replies go to the `OnReply` of their request instead. */
export type Sinks = {
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, how: Omit<CloseOutput, 'kind' | 'connection'>) => void
  readonly listen: (closed: readonly Listening[]) => void
  readonly log: (level: LogLevel, text: string) => void
  readonly perform: (id: number, task: Task) => void
  readonly wake: (atMs: bigint | undefined, works?: boolean) => void
  /** Called for every input with its outputs and the simulation after it. */
  readonly record: (input: Input, outputs: readonly Output[], simulation: Simulation) => void
}

/** Saves inputs, and delays outputs until all earlier inputs are saved. */
export type Keeper = {
  readonly entered: (input: Input, before: Simulation, after: Simulation) => void
  /** Called when the queue continues from another simulation. */
  readonly replaced: (simulation: Simulation) => void
  /** Runs work in order, immediately if all inputs so far are saved. */
  readonly whenKept: (work: () => void) => void
}

export type OnReply = (reply: ReplyOutput) => void

/** A request without a response; `connection` is that of a WebSocket. */
export type Owed = { readonly onReply: OnReply; readonly ids: Ids; readonly connection?: number | undefined }

export type Queue = {
  /**
   * Stamps an input with the time, runs it and carries out its outputs. A stopped queue answers that
   * the chain was stopped.
   */
  readonly enter: (body: InputBody, onReply?: OnReply) => void
  readonly simulation: () => Simulation
  /** Continues from another simulation. Call it between two inputs. */
  readonly become: (next: Simulation) => void
  /** Drops all waiting and later inputs. Every request without a response is answered. */
  readonly stop: () => void
  /** Calls `work` when the queue stops, immediately if it has stopped. Returns a function that cancels that. */
  readonly onStop: (work: () => void) => () => void
  /** Returns the maximum lag of a fleet member in milliseconds; absent outside fleets. */
  readonly lagMs?: () => number
}

export type Turned = {
  readonly simulation: Simulation
  readonly outputs: readonly Output[]
  /** The remote state that a forked chain needs before the input takes effect. */
  readonly wanted?: readonly WantedPart[]
  /** The part of the program that has to be loaded before the input takes effect. */
  readonly needs?: Part
}

/** Fetches the facts that a forked chain needs; replaces an input whose facts are unavailable. */
export type Learning = {
  readonly learn: (wanted: readonly WantedPart[], rounds: number) => Promise<readonly Fact[]>
  readonly refused: (body: InputBody, simulation: Simulation, error: unknown) => InputBody | undefined
}

export type QueueOptions = {
  /** The session of every input; '' is the main chain. */
  readonly session?: string
  /** The number before that of the first input; default 0. */
  readonly from?: number
  readonly simulation: Simulation
  /** Never throws. */
  readonly simulate: (simulation: Simulation, input: Input) => Turned
  readonly nowMs: () => bigint
  readonly sinks: Sinks
  readonly learning?: Learning | undefined
  readonly keeper?: Keeper | undefined
}

/** How long time stands still before it is moved again. */
const againMs = 1000n

/** An input that waits for its turn. `rounds` counts how often it waited for missing facts. */
type Waiting = {
  readonly body: InputBody
  readonly onReply: OnReply | undefined
  readonly rounds: number
}

/** Missing facts of a forked chain, or a part of the program. */
type Lack = readonly WantedPart[] | Part

const noLearning: Learning = { learn: () => Promise.resolve([]), refused: () => undefined }

/** Returns a queue that owns the current value of a simulation. */
export function createQueue({
  session = '',
  from = 0,
  simulation: first,
  simulate,
  nowMs,
  sinks,
  learning,
  keeper,
}: QueueOptions): Queue {
  let simulation = first
  let seq = from
  let isBusy = false
  let isStopped = false
  const owed = new Map<number, Owed>()
  const line: Waiting[] = []
  /** The input whose missing facts are being fetched. */
  let unsettled: Waiting | undefined
  const stopping = createListeners()
  const clock = createHeldClock(nowMs)

  /** Enters an input, which waits if the outputs of another input are being carried out. */
  function enter(body: InputBody, onReply?: OnReply): void {
    if (isStopped) return onReply?.(stoppedReply(idsOf(body)))
    line.push({ body, onReply, rounds: 0 })
    run()
  }

  function run(): void {
    if (isBusy) return
    isBusy = true
    for (let next = line.shift(); next !== undefined; next = line.shift()) {
      const lack = turn(next)
      if (lack === undefined || (typeof lack !== 'string' && learning === undefined)) continue
      return void settled(next, lack, learning).finally(() => {
        isBusy = false
        run()
      })
    }
    isBusy = false
  }

  /** Runs an input. Returns missing facts or a missing part; nothing has changed then. */
  function turn({ body, onReply }: Waiting): Lack | undefined {
    if (body.kind === 'request') sendLongHeld()
    else sendHeld()
    const timeMs = clock.now(simulation.node.nowMs)
    // Node 20 needs some µs for each new property behind a spread, and almost nothing for those before it.
    const input: Input = { seq: seq + 1, timeMs, session, ...body }
    const before = simulation
    const after = simulate(before, input)
    simulation = after.simulation
    const lack = after.needs ?? after.wanted
    if (lack !== undefined) return lack
    const { outputs } = after
    seq += 1
    if (onReply !== undefined) owed.set(seq, owedTo(body, outputs, onReply))
    if (body.kind === 'disconnected') dropOwed(owed, body.connection)
    keeper?.entered(input, before, simulation)
    if (keeper === undefined) leave(outputs)
    else {
      leave(outputs.filter(isInside))
      keeper.whenKept(() => leave(outputs.filter((output) => !isInside(output))))
    }
    return void attempt(sinks, () => sinks.record(input, outputs, simulation))
  }

  function leave(outputs: readonly Output[]): void {
    for (const output of outputs) attempt(sinks, () => sendOutput(output, sinks, owed))
  }

  /** Loads the facts or the part that an input lacks, and puts the input back first in line. */
  async function settled(waiting: Waiting, lack: Lack, { learn, refused }: Learning = noLearning): Promise<void> {
    unsettled = waiting
    try {
      const facts = typeof lack === 'string' ? await loadPart(lack) : await learn(lack, waiting.rounds)
      if (isStopped) return
      unsettled = undefined
      if (facts) turn({ body: { kind: 'learned', facts }, onReply: undefined, rounds: 0 })
      line.unshift({ ...waiting, rounds: waiting.rounds + 1 })
    } catch (error) {
      if (isStopped) return
      unsettled = undefined
      const { body, onReply } = waiting
      const why = isExpected(error) ? error.message : thrownInFull(error)
      sinks.log('error', `${body.kind} was not executed: ${why}`)
      sinks.wake(clock.hold())
      if (body.kind === 'tick' || turn(waiting) === undefined) return
      const instead = refused(body, simulation, error)
      if (instead === undefined || turn({ ...waiting, body: instead }) === undefined) return
      seq += 1
      if (onReply !== undefined) onReply(incidentReply(seq, seq))
    }
  }

  function stop(): void {
    if (isStopped) return
    isStopped = true
    stopping.tell()
    stopping.clear()
    for (const { body, onReply } of [...(unsettled === undefined ? [] : [unsettled]), ...line.splice(0)]) {
      attempt(sinks, () => onReply?.(stoppedReply(idsOf(body))))
    }
    // Responses whose inputs are still being saved leave first.
    if (keeper === undefined) answerOwed()
    else keeper.whenKept(answerOwed)
  }

  function answerOwed(): void {
    for (const [seq, { onReply, ids }] of owed) {
      owed.delete(seq)
      attempt(sinks, () => onReply(stoppedReply(ids)))
    }
  }

  return {
    enter,
    simulation: () => simulation,
    become: (next) => {
      simulation = next
      keeper?.replaced(next)
    },
    stop,
    onStop: (work) => {
      if (!isStopped) return stopping.add(work)
      work()
      return () => {}
    },
  }
}

function owedTo(body: InputBody, outputs: readonly Output[], onReply: OnReply): Owed {
  const connection = body.kind === 'request' ? body.connection : undefined
  return { onReply, ids: unansweredIds(body, outputs), connection }
}

/** Drops the requests of a closed connection: the node has dropped them too, so they get no response. */
function dropOwed(owed: Map<number, Owed>, connection: number): void {
  for (const [seq, one] of owed) if (one.connection === connection) owed.delete(seq)
}

/** Returns whether an output is invisible to clients, so that it need not wait for the keeper. */
function isInside({ kind }: Output): boolean {
  return kind === 'wake' || kind === 'log'
}

type HeldClock = {
  readonly now: (standingMs: bigint) => bigint
  /** Stops time for a while; returns when it continues. */
  readonly hold: () => bigint
}

/** Returns a clock that stops for a while when facts that a block needs are unavailable. */
function createHeldClock(nowMs: () => bigint): HeldClock {
  let untilMs = 0n
  return {
    now: (standingMs) => {
      const now = nowMs()
      return now < untilMs ? standingMs : now
    },
    hold: () => (untilMs = nowMs() + againMs),
  }
}

function sendOutput(output: Output, sinks: Sinks, owed: Map<number, Owed>): void {
  switch (output.kind) {
    case 'reply': {
      const waiting = owed.get(output.seq)
      owed.delete(output.seq)
      return waiting?.onReply(output)
    }
    case 'push':
      return sinks.push([output.connection], output.text)
    case 'broadcast':
      return sinks.push(output.connections, output.text)
    case 'close':
      return sinks.close(output.connection, output)
    case 'listen':
      return sinks.listen(output.closed)
    case 'log':
      return sinks.log(output.level, output.text)
    case 'perform':
      return sinks.perform(output.id, output.task)
    case 'wake':
      return sinks.wake(output.atMs, output.works)
  }
}

/** Runs work with outputs and logs the errors that it throws. */
export function attempt(sinks: Pick<Sinks, 'log'>, work: () => void): void {
  try {
    work()
  } catch (error) {
    sinks.log('error', `an output failed: ${thrownInFull(error)}`)
  }
}
