/**
 * The one queue: every input is stamped, given to `simulate`, and its outputs carried out, before the
 * next one is looked at. The shell's other parts only hand over and take away.
 */
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

export type Turned = { readonly simulation: Simulation; readonly outputs: readonly Output[] }

export type QueueOptions = {
  /** Stamped on every input; '' is the main chain. */
  readonly session?: string
  readonly simulation: Simulation
  readonly simulate: (simulation: Simulation, input: Input) => Turned
  readonly nowMs: () => bigint
  readonly sinks: Sinks
}

type Waiting = { readonly body: InputBody; readonly onReply: OnReply | undefined }

/** Returns a queue over a simulation; it is the one owner of the current value. */
export function createQueue({ session = '', simulation: first, simulate, nowMs, sinks }: QueueOptions): Queue {
  let simulation = first
  let seq = 0
  let isBusy = false
  let isStopped = false
  const owed = new Map<number, OnReply>()
  const line: Waiting[] = []

  /** An input that enters while outputs are carried out waits for its turn. */
  function enter(body: InputBody, onReply?: OnReply): void {
    if (isStopped) return
    line.push({ body, onReply })
    if (isBusy) return
    isBusy = true
    try {
      for (let next = line.shift(); next !== undefined; next = line.shift()) turn(next)
    } finally {
      isBusy = false
    }
  }

  function turn({ body, onReply }: Waiting): void {
    seq += 1
    const input: Input = { ...body, seq, timeMs: nowMs(), session }
    if (onReply !== undefined) owed.set(seq, onReply)
    const outputs = outputsOf(input)
    for (const output of outputs) attempt(() => carryOut(output))
    attempt(() => sinks.record(input, outputs, simulation))
  }

  /** `simulate` throws for no input; should it, the value before stays and the client is told. */
  function outputsOf(input: Input): readonly Output[] {
    try {
      const turned = simulate(simulation, input)
      simulation = turned.simulation
      return turned.outputs
    } catch (error) {
      const text = `input ${input.seq} (${input.kind}) could not be carried out: ${stackOf(error)}`
      return [{ kind: 'log', level: 'error', text }, ...(input.kind === 'request' ? [incident(input.seq)] : [])]
    }
  }

  function carryOut(output: Output): void {
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

  function attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      sinks.log('error', `an output could not be carried out: ${stackOf(error)}`)
    }
  }

  const become = (next: Simulation) => { simulation = next }
  return { enter, simulation: () => simulation, become, stop: () => { isStopped = true; line.length = 0 } }
}

function incident(seq: number): Output {
  const error = { code: -32603, message: 'Internal error', data: `incident ${seq}: see the log of the server` }
  return {
    kind: 'reply', seq, status: 500, headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }), wire: undefined,
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? error.stack ?? error.message : String(error)
}
