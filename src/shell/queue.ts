/**
 * The one queue: every input is stamped, given to `simulate`, and its outputs carried out, before
 * the next one is looked at. The shell's other parts only hand over and take away.
 */
import type { Fact, Wanted } from '../app/forked.ts'
import { thrownText } from '../errors.ts'
import { incidentReply } from '../node/incidents.ts'
import type { InputBody, Input } from '../node/input.ts'
import type { CloseOutput, Listening, Output, ReplyOutput, Task } from '../node/output.ts'
import { loadScripts } from './scripts/loading.ts'
import type { Simulation } from '../simulation/turn.ts'

/** Who carries outputs out. A reply goes to whoever entered its request. */
export type Sinks = {
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, how: Omit<CloseOutput, 'kind' | 'connection'>) => void
  readonly listen: (closed: readonly Listening[]) => void
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
  readonly perform: (id: number, task: Task) => void
  readonly wake: (atMs: bigint | undefined, works?: boolean) => void
  /** Told of every input with all it caused, and of the simulation after it. */
  readonly record: (input: Input, outputs: readonly Output[], simulation: Simulation) => void
}

/** Keeps inputs, and outputs back until the inputs before them are kept. */
export type Keeper = {
  readonly entered: (input: Input, before: Simulation, after: Simulation) => void
  /** Another value has taken the place of the chain so far. */
  readonly replaced: (simulation: Simulation) => void
  /** Carries out work in its turn: at once where everything so far is kept. */
  readonly whenKept: (work: () => void) => void
}

export type OnReply = (reply: ReplyOutput) => void

export type Queue = {
  /** Stamps an input with the time and carries out what it causes. */
  readonly enter: (body: InputBody, onReply?: OnReply) => void
  readonly simulation: () => Simulation
  /** Goes on with another value; nothing is half carried out then. */
  readonly become: (next: Simulation) => void
  /** Takes no more inputs: what still arrives is dropped. */
  readonly stop: () => void
  /** Milliseconds by which a member of a fleet may be behind the others; absent elsewhere. */
  readonly lagMs?: () => number
}

export type Turned = {
  readonly simulation: Simulation
  readonly outputs: readonly Output[]
  /** What a forked chain has to be told before the input has an effect. */
  readonly wanted?: readonly Wanted[]
  /** The interpreter of JavaScript has to be loaded before the input has an effect. */
  readonly needsScripts?: true
}

/**
 * Finds out what a forked chain wants to know, and answers in the place of a request when it
 * cannot.
 */
export type Learning = {
  readonly learn: (wanted: readonly Wanted[], rounds: number) => Promise<readonly Fact[]>
  readonly refused: (body: InputBody, simulation: Simulation, error: unknown) => InputBody | undefined
}

export type QueueOptions = {
  /** Stamped on every input; '' is the main chain. */
  readonly session?: string
  /** Inputs are numbered from the number after this one. */
  readonly from?: number
  readonly simulation: Simulation
  /** Never throws. */
  readonly simulate: (simulation: Simulation, input: Input) => Turned
  readonly nowMs: () => bigint
  readonly sinks: Sinks
  readonly learning?: Learning | undefined
  readonly keeper?: Keeper | undefined
}

/** When time that could not pass is tried again. */
const againMs = 1000n

/** `rounds` counts how often it was put off, to be carried out when more is known. */
type Waiting = {
  readonly body: InputBody
  readonly onReply: OnReply | undefined
  readonly rounds: number
}

/** Facts of a forked chain, or the interpreter of JavaScript, which is loaded once. */
type Lack = readonly Wanted[] | 'scripts'

const noLearning: Learning = { learn: () => Promise.resolve([]), refused: () => undefined }

/** Returns a queue over a simulation; it is the one owner of the current value. */
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
  const owed = new Map<number, OnReply>()
  const line: Waiting[] = []
  const clock = createHeldClock(nowMs)

  /** An input that enters while outputs are carried out waits for its turn. */
  function enter(body: InputBody, onReply?: OnReply): void {
    if (isStopped) return
    line.push({ body, onReply, rounds: 0 })
    run()
  }

  function run(): void {
    if (isBusy) return
    isBusy = true
    for (let next = line.shift(); next !== undefined; next = line.shift()) {
      const lack = turn(next)
      if (lack === undefined || (lack !== 'scripts' && learning === undefined)) continue
      return void settled(next, lack, learning).finally(() => {
        isBusy = false
        run()
      })
    }
    isBusy = false
  }

  /** Returns what has to be known or loaded first; nothing has happened then. */
  function turn({ body, onReply }: Waiting): Lack | undefined {
    const timeMs = clock.now(simulation.node.nowMs)
    const input: Input = { ...body, seq: seq + 1, timeMs, session }
    const before = simulation
    const after = simulate(before, input)
    simulation = after.simulation
    const lack = after.needsScripts === true ? 'scripts' : after.wanted
    if (lack !== undefined) return lack
    const { outputs } = after
    seq += 1
    if (onReply !== undefined) owed.set(seq, onReply)
    keeper?.entered(input, before, simulation)
    if (keeper === undefined) leave(outputs)
    else {
      leave(outputs.filter(isInside))
      keeper.whenKept(() => leave(outputs.filter((output) => !isInside(output))))
    }
    return void attempt(sinks, () => sinks.record(input, outputs, simulation))
  }

  function leave(outputs: readonly Output[]): void {
    for (const output of outputs) attempt(sinks, () => carryOut(output, sinks, owed))
  }

  /** What others entered meanwhile comes after the input that waits. */
  async function settled(waiting: Waiting, lack: Lack, { learn, refused }: Learning = noLearning): Promise<void> {
    try {
      const facts = lack === 'scripts' ? await loadScripts() : await learn(lack, waiting.rounds)
      if (isStopped) return
      if (facts) turn({ body: { kind: 'learned', facts }, onReply: undefined, rounds: 0 })
      line.unshift({ ...waiting, rounds: waiting.rounds + 1 })
    } catch (error) {
      if (isStopped) return
      const { body, onReply } = waiting
      const why = thrownText(error)
      sinks.log('error', `${body.kind} was not executed: ${why}`)
      sinks.wake(clock.hold())
      if (body.kind === 'tick' || turn(waiting) === undefined) return
      const instead = refused(body, simulation, error)
      if (instead === undefined || turn({ ...waiting, body: instead }) === undefined) return
      seq += 1
      if (onReply !== undefined) onReply(incidentReply(seq, seq))
    }
  }

  const stop = () => {
    isStopped = true
    line.length = 0
  }
  return {
    enter,
    simulation: () => simulation,
    become: (next) => {
      simulation = next
      keeper?.replaced(next)
    },
    stop,
  }
}

/** Nobody outside learns of it. */
function isInside({ kind }: Output): boolean {
  return kind === 'wake' || kind === 'log'
}

type HeldClock = {
  readonly now: (standingMs: bigint) => bigint
  /** Lets time stand for a while; returns until when. */
  readonly hold: () => bigint
}

/** Time stands still where what a block needs cannot be known. */
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

function carryOut(output: Output, sinks: Sinks, owed: Map<number, OnReply>): void {
  switch (output.kind) {
    case 'reply': {
      const onReply = owed.get(output.seq)
      owed.delete(output.seq)
      return onReply?.(output)
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

/** Does some work with outputs, and logs what it throws. */
export function attempt(sinks: Pick<Sinks, 'log'>, work: () => void): void {
  try {
    work()
  } catch (error) {
    sinks.log('error', `an output failed: ${stackOf(error)}`)
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
