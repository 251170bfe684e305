/**
 * The one queue: every input is stamped, given to `simulate`, and its outputs carried out, before
 * the next one is looked at. The shell's other parts only hand over and take away.
 */
import type { Fact, Wanted } from '../app/forked.ts'
import { thrownText } from '../errors.ts'
import type { InputBody, Input } from '../node/input.ts'
import type { CloseOutput, Listening, Output, ReplyOutput, Task } from '../node/output.ts'
import type { Simulation } from '../simulation.ts'

/** Who carries outputs out. A reply goes to whoever entered its request. */
export type Sinks = {
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, how: Omit<CloseOutput, 'kind' | 'connection'>) => void
  readonly listen: (closed: readonly Listening[]) => void
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
  readonly perform: (id: number, task: Task) => void
  readonly wake: (atMs: bigint | undefined) => void
  /** Told of every input with all it caused, and of the simulation after it. */
  readonly record: (input: Input, outputs: readonly Output[], simulation: Simulation) => void
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
}

export type Turned = {
  readonly simulation: Simulation
  readonly outputs: readonly Output[]
  /** What a forked chain has to be told before the input has an effect. */
  readonly wanted?: readonly Wanted[]
}

/**
 * Finds out what a forked chain wants to know, and answers in the place of a request when it
 * cannot.
 */
export type Learning = {
  readonly learn: (wanted: readonly Wanted[], rounds: number) => Promise<readonly Fact[]>
  readonly refused: (
    body: InputBody, simulation: Simulation, error: unknown
  ) => InputBody | undefined
}

export type QueueOptions = {
  /** Stamped on every input; '' is the main chain. */
  readonly session?: string
  readonly simulation: Simulation
  readonly simulate: (simulation: Simulation, input: Input) => Turned
  readonly nowMs: () => bigint
  readonly sinks: Sinks
  readonly learning?: Learning | undefined
}

/** When time that could not pass is tried again. */
const againMs = 1000n

/** `rounds` counts how often it was put off, to be carried out when more is known. */
type Waiting = {
  readonly body: InputBody; readonly onReply: OnReply | undefined; readonly rounds: number
}

/** Returns a queue over a simulation; it is the one owner of the current value. */
export function createQueue(
  { session = '', simulation: first, simulate, nowMs, sinks, learning }: QueueOptions,
): Queue {
  let simulation = first
  let seq = 0
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
      const wanted = turn(next)
      if (wanted === undefined || learning === undefined) continue
      return void learned(next, wanted, learning).finally(() => { isBusy = false; run() })
    }
    isBusy = false
  }

  /** Returns what has to be known first; nothing has happened then. */
  function turn({ body, onReply }: Waiting): readonly Wanted[] | undefined {
    const timeMs = clock.now(simulation.node.nowMs)
    const input: Input = { ...body, seq: seq + 1, timeMs, session }
    const after = turned(simulate, simulation, input)
    simulation = after.simulation
    if (after.wanted !== undefined) return after.wanted
    const { outputs } = after
    seq += 1
    if (onReply !== undefined) owed.set(seq, onReply)
    for (const output of outputs) attempt(sinks, () => carryOut(output, sinks, owed))
    attempt(sinks, () => sinks.record(input, outputs, simulation))
    return undefined
  }

  /** What others entered meanwhile comes after the input that waits. */
  async function learned(
    waiting: Waiting, wanted: readonly Wanted[], { learn, refused }: Learning,
  ): Promise<void> {
    try {
      const facts = await learn(wanted, waiting.rounds)
      if (isStopped) return
      turn({ body: { kind: 'learned', facts }, onReply: undefined, rounds: 0 })
      line.unshift({ ...waiting, rounds: waiting.rounds + 1 })
    } catch (error) {
      if (isStopped) return
      const { body, onReply } = waiting
      const why = thrownText(error)
      sinks.log('error', `${body.kind} was not carried out: ${why}`)
      sinks.wake(clock.hold())
      if (body.kind === 'tick' || turn(waiting) === undefined) return
      const instead = refused(body, simulation, error)
      if (instead === undefined || turn({ ...waiting, body: instead }) === undefined) return
      seq += 1
      if (onReply !== undefined) onReply(incident(seq))
    }
  }

  const stop = () => { isStopped = true; line.length = 0 }
  return { enter, simulation: () => simulation, become: (next) => { simulation = next }, stop }
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

/** `simulate` throws for no input; should it, the value before stays and the client is told. */
function turned(simulate: QueueOptions['simulate'], simulation: Simulation, input: Input): Turned {
  try {
    return simulate(simulation, input)
  } catch (error) {
    const text = `input ${input.seq} (${input.kind}) could not be carried out: ${stackOf(error)}`
    const told = input.kind === 'request' ? [incident(input.seq)] : []
    return { simulation, outputs: [{ kind: 'log', level: 'error', text }, ...told] }
  }
}

function carryOut(output: Output, sinks: Sinks, owed: Map<number, OnReply>): void {
  switch (output.kind) {
    case 'reply': {
      const onReply = owed.get(output.seq)
      owed.delete(output.seq)
      return onReply?.(output)
    }
    case 'push': return sinks.push([output.connection], output.text)
    case 'broadcast': return sinks.push(output.connections, output.text)
    case 'close': return sinks.close(output.connection, output)
    case 'listen': return sinks.listen(output.closed)
    case 'log': return sinks.log(output.level, output.text)
    case 'perform': return sinks.perform(output.id, output.task)
    case 'wake': return sinks.wake(output.atMs)
  }
}

function attempt(sinks: Sinks, work: () => void): void {
  try {
    work()
  } catch (error) {
    sinks.log('error', `an output could not be carried out: ${stackOf(error)}`)
  }
}

function incident(seq: number): ReplyOutput {
  const error = {
    code: -32603, message: 'Internal error', data: `incident ${seq}: see the log of the server`,
  }
  return {
    kind: 'reply', seq, status: 500, headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }), wire: undefined,
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error)
}
