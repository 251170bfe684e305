/**
 * The one queue: every input is stamped, given to `simulate`, and its outputs carried out, before the
 * next one is looked at. The shell's other parts only hand over and take away.
 */
import type { InputBody, Input } from '../node/input.ts'
import type { Output, ReplyOutput, Task } from '../node/output.ts'
import type { World } from '../node/world.ts'
import { simulate, type Simulation } from '../simulation.ts'

/** Who carries outputs out. A reply goes to whoever entered its request. */
export type Sinks = {
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, code: number, reason: string) => void
  readonly log: (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
  readonly perform: (id: number, task: Task) => void
  readonly wake: (atMs: bigint | undefined) => void
  /** Told of every input with all it caused, and of the simulation after it. */
  readonly record: (input: Input, outputs: readonly Output[], simulation: Simulation) => void
}

export type Queue = {
  /** Stamps an input with the time and carries out what it causes. */
  readonly enter: (body: InputBody, onReply?: (reply: ReplyOutput) => void) => void
  readonly simulation: () => Simulation
  /** Forgets who waits for a reply: the client has gone. */
  readonly forget: (onReply: (reply: ReplyOutput) => void) => void
}

export type QueueOptions = {
  readonly world: World
  readonly simulation: Simulation
  readonly nowMs: () => bigint
  readonly sinks: Sinks
}

/** Returns a queue over a simulation; it is the one owner of the current value. */
export function createQueue({ world, simulation: first, nowMs, sinks }: QueueOptions): Queue {
  let simulation = first
  let seq = 0
  const waiting = new Map<number, (reply: ReplyOutput) => void>()

  function enter(body: InputBody, onReply?: (reply: ReplyOutput) => void): void {
    seq += 1
    const input: Input = { seq, timeMs: nowMs(), session: '', ...body }
    if (onReply !== undefined) waiting.set(seq, onReply)
    const { simulation: next, outputs } = simulate(world, simulation, input)
    simulation = next
    sinks.record(input, outputs, simulation)
    for (const output of outputs) carryOut(output)
  }

  function carryOut(output: Output): void {
    switch (output.kind) {
      case 'reply': {
        const onReply = waiting.get(output.seq)
        waiting.delete(output.seq)
        return onReply?.(output)
      }
      case 'push': return sinks.push([output.connection], output.text)
      case 'broadcast': return sinks.push(output.connections, output.text)
      case 'close': return sinks.close(output.connection, output.code, output.reason)
      case 'log': return sinks.log(output.level, output.text)
      case 'perform': return sinks.perform(output.id, output.task)
      case 'wake': return sinks.wake(output.atMs)
    }
  }

  function forget(onReply: (reply: ReplyOutput) => void): void {
    for (const [key, each] of waiting) if (each === onReply) waiting.delete(key)
  }

  return { enter, forget, simulation: () => simulation }
}
