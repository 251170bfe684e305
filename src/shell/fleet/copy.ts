/**
 * A member's copy of a chain: the shared simulation, which the entries of the log lead to, and the
 * queue that serves the member's own clients from it.
 */
import { performance } from 'node:perf_hooks'
import type { Input } from '../../node/input.ts'
import type { Output } from '../../node/output.ts'
import type { World } from '../../node/world.ts'
import { attending, newRules, noClients } from '../../simulation/attending.ts'
import { simulate, type Simulated } from '../../simulation.ts'
import { attempt, createQueue, type OnReply, type Queue, type Sinks, type Turned } from '../queue.ts'
import { loadScripts } from '../scripts/loading.ts'
import type { CallId, FleetEntry } from './entry.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { noPlan } from '../../node/plan.ts'

export type Copy = {
  readonly shared: () => Simulation
  /** Serves the member's own clients. */
  readonly own: Queue
  /** The number of the last input. */
  readonly seq: () => number
  /** Simulation time, in milliseconds, as far as it can be known here. */
  readonly nowMs: () => bigint
  /** Resolves when the inputs of an entry have taken effect; those that already had are left out. */
  readonly take: (inputs: Extract<FleetEntry, { kind: 'inputs' }>['inputs']) => Promise<void>
  /** Goes on from a simulation that others came to. */
  readonly become: (shared: Simulation, seq: number) => void
}

export type CopyOptions = {
  readonly session: string
  readonly world: World
  readonly first: Simulation
  /** Of outputs of shared inputs: pushes and closes are the own clients' alone. */
  readonly sinks: Sinks
  /** Notes requests of own clients. */
  readonly watching: (simulate: (simulation: Simulation, input: Input) => Turned) => typeof simulate
  /** Returns who waits for the answer to a call; undefined where that is no client of ours. */
  readonly claim: (from: CallId) => Claimed | undefined
  readonly ownSinks: Pick<Sinks, 'perform' | 'wake'>
}

/** `settled` is to be called when the input has taken effect. */
export type Claimed = { readonly onReply: OnReply | undefined; readonly settled: () => void }

/** Answers to own clients are numbered from here, far from those of shared inputs. */
const ownFrom = 2 ** 40

/** Returns a copy at the beginning of its chain. */
export function createCopy({ session, world, first, sinks, claim, ownSinks, ...options }: CopyOptions): Copy {
  let shared = first
  let seq = 0
  let moment = { ms: first.node.nowMs, at: performance.now() }
  const owed = new Map<number, OnReply>()
  const { pace, clockSpeed } = first.node.settings
  const nowMs = () =>
    pace === 'wall' ? moment.ms + BigInt(Math.floor((performance.now() - moment.at) * clockSpeed)) : moment.ms
  const own = createQueue({
    session,
    from: ownFrom,
    simulation: noClients(first, noPlan),
    simulate: options.watching((simulation, input) => simulate(world, simulation, input)),
    nowMs,
    sinks: { ...sinks, ...ownSinks, listen: () => {}, record: () => {} },
  })

  async function turn(input: Input, from: CallId | undefined): Promise<void> {
    let after: Simulated = simulate(world, shared, input)
    if (after.needsScripts === true) {
      await loadScripts()
      after = simulate(world, shared, input)
    }
    const { outputs, events = [] } = after
    const claimed = from === undefined ? undefined : claim(from)
    const rules = newRules(own.simulation(), after.simulation)
    shared = after.simulation
    seq = input.seq
    moment = { ms: shared.node.nowMs, at: performance.now() }
    if (claimed?.onReply !== undefined) owed.set(seq, claimed.onReply)
    own.become(attending(own.simulation(), shared))
    own.enter({ kind: 'happened', events, rules })
    for (const output of outputs) attempt(sinks, () => carryOut(output))
    attempt(sinks, () => sinks.record(input, outputs, shared))
    claimed?.settled()
  }

  function carryOut(output: Output): void {
    if (output.kind === 'reply') {
      owed.get(output.seq)?.(output)
      owed.delete(output.seq)
    } else if (output.kind === 'log') sinks.log(output.level, output.text)
    else if (output.kind === 'listen') sinks.listen(output.closed)
    else if (output.kind === 'wake') sinks.wake(output.atMs, output.works)
    else if (output.kind === 'perform') sinks.perform(output.id, output.task)
  }

  return {
    own,
    shared: () => shared,
    seq: () => seq,
    nowMs,
    take: async (inputs) => {
      for (const { input, from } of inputs) if (input.seq > seq) await turn(input, from)
    },
    become: (next, at) => {
      shared = next
      seq = at
      moment = { ms: shared.node.nowMs, at: performance.now() }
      own.become(attending(own.simulation(), shared))
    },
  }
}
