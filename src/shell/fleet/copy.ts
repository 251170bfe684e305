/**
 * A member's copy of a chain. It consists of the shared simulation, computed from the entries of
 * the log, and of the queue that serves the member's own clients from it.
 */
import type { Input } from '../../plan/input.ts'
import type { Output } from '../../node/output.ts'
import type { World } from '../../node/world.ts'
import { attending, newRules, noClients } from '../../simulation/attending.ts'
import { simulate, type Simulated } from '../../simulation.ts'
import { attempt, createQueue, type OnReply, type Owed, type Queue, type Sinks, type Turned } from '../queue.ts'
import { withParts } from '../loadPart.ts'
import { runningClock } from '../runningClock.ts'
import { stoppedReply, unansweredIds } from '../stopped.ts'
import type { CallId, FleetEntry } from './entry.ts'
import type { Operated } from '../ports.ts'
import type { Simulation } from '../../simulation/turn.ts'
import { noPlan } from '../../plan/plan.ts'

export type Copy = {
  readonly shared: () => Simulation
  /** The queue that serves this member's clients. */
  readonly own: Queue
  /** The `seq` of the last shared input applied. */
  readonly seq: () => number
  /** Simulation time in milliseconds. With pace `wall`, extrapolated from the last input. */
  readonly nowMs: () => bigint
  /**
   * Resolves when the inputs of an entry have been applied. Inputs that were already applied are
   * skipped.
   */
  readonly take: (inputs: Extract<FleetEntry, { kind: 'inputs' }>['inputs']) => Promise<void>
  /** Replaces the shared simulation by one that another member computed. */
  readonly become: (shared: Simulation, seq: number) => void
  /** Answers every request without a response, and stops the queue. */
  readonly stop: () => void
}

export type CopyOptions = {
  readonly session: string
  readonly world: World
  readonly first: Simulation
  /**
   * Sinks for outputs of shared inputs. Pushes and closes come only from this member's own queue.
   */
  readonly sinks: Sinks
  /** This member's id. */
  readonly self: string
  /** Wraps `simulate` to record requests of this member's clients. */
  readonly watching: <Result extends Turned>(
    simulate: (simulation: Simulation, input: Input) => Result,
  ) => typeof simulate
  /**
   * Returns the client that waits for the response to a call; undefined for another member's
   * client.
   */
  readonly claim: (from: CallId) => Claimed | undefined
  readonly ownSinks: Pick<Sinks, 'perform' | 'wake'>
}

/** A waiting client. Call `settled` with the result when the input has been applied. */
export type Claimed = { readonly onReply: OnReply | undefined; readonly settled: (operated: Operated) => void }

/** First `seq` of requests served by this member, far above those of shared inputs. */
const ownFrom = 2 ** 40

/** Returns a copy at the start of its chain. */
export function createCopy({ session, world, first, sinks, self, claim, ownSinks, ...options }: CopyOptions): Copy {
  let shared = first
  let seq = 0
  let moment = { ms: first.node.nowMs, at: runningClock().nowMs() }
  const owed = new Map<number, Owed>()
  const { pace, clockSpeed } = first.node.settings
  const nowMs = () =>
    pace === 'wall' ? moment.ms + BigInt(Math.floor((runningClock().nowMs() - moment.at) * clockSpeed)) : moment.ms
  const own = createQueue({
    session,
    from: ownFrom,
    simulation: noClients(first, noPlan),
    simulate: options.watching((simulation, input) => simulate(world, simulation, input)),
    nowMs,
    sinks: { ...sinks, ...ownSinks, listen: () => {}, record: () => {} },
  })

  async function turn(input: Input, from: CallId | undefined): Promise<void> {
    const seen = seenBy(self, input, from)
    const watched = options.watching((before): Simulated => simulate(world, before, input))
    let after = watched(shared, seen)
    if (after.needs !== undefined) after = await withParts(() => watched(shared, seen))
    const { outputs, events = [] } = after
    const claimed = from === undefined ? undefined : claim(from)
    const rules = newRules(own.simulation(), after.simulation)
    shared = after.simulation
    seq = input.seq
    moment = { ms: shared.node.nowMs, at: runningClock().nowMs() }
    const { onReply } = claimed ?? {}
    if (onReply !== undefined) owed.set(seq, { onReply, ids: unansweredIds(input, outputs) })
    own.become(attending(own.simulation(), shared))
    own.enter({ kind: 'happened', events, rules })
    for (const output of outputs) attempt(sinks, () => deliverOutput(output))
    attempt(sinks, () => sinks.record(input, outputs, shared))
    claimed?.settled(after.refusal ?? { kind: 'done' })
  }

  function deliverOutput(output: Output): void {
    if (output.kind === 'reply') {
      owed.get(output.seq)?.onReply(output)
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
      moment = { ms: shared.node.nowMs, at: runningClock().nowMs() }
      own.become(attending(own.simulation(), shared))
    },
    stop: () => {
      own.stop()
      for (const [number, { onReply, ids }] of owed) {
        owed.delete(number)
        attempt(sinks, () => onReply(stoppedReply(ids)))
      }
    },
  }
}

/** Returns the input to record on a member: a request of another member's client answers only waiting ones there. */
function seenBy(self: string, input: Input, from: CallId | undefined): Input {
  const { kind, seq, timeMs, session } = input
  return kind === 'request' && from?.member !== self ? { kind: 'tick', seq, timeMs, session } : input
}
