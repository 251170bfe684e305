/**
 * Lets a read leave the core. Its executions share a slice of gas; the first that needs more is
 * aborted by throwing `LeavesCore` out of the method. When its result is known, the method runs
 * again on the same node with the results so far instead of the executions, and with a new slice.
 */
import { withTask } from '../node/effects.ts'
import type { BlockTraces, CallBlock, EthereumCall, EthereumView, RecoveredTx, TraceEnd } from '../app/ethereumView.ts'
import type { AppState } from '../app/state.ts'
import { Bug, isExpected } from '../errors.ts'
import { SliceOver } from '../evm/run.ts'
import type { GasSlice } from '../evm/types.ts'
import { endsOfTraces, failedEnd, longReadEndOf, longReadValue } from '../node/longRead.ts'
import type { LongRead, LongReadEnd, LongWork } from '../node/longRead.ts'
import type { Node, Owed, OwedRead } from '../node/node.ts'
import type { Output } from '../node/output.ts'
import { durationMs } from '../settings/duration.ts'
import type { CallRun, GasMeter, Resumed } from './callRun.ts'
import { RpcError } from './errors.ts'
import { type SlicedView, WaitingReply } from './method.ts'

/**
 * Divides the gas available under a tracer, because traced steps take at least ten times as long.
 */
const traceWeight = 10n

/**
 * Returns the view through which a read can leave the core. Returns undefined where the read must
 * be answered immediately: if time does not follow the clock, and for calls of scenarios and the
 * dashboard. The same holds on forks, where state may have to be fetched first.
 */
export function leavingView({ world, caller, resumed, meter }: CallRun, seen: Node): SlicedView | undefined {
  const { settings, chain } = seen
  const mayLeave = settings.pace === 'wall' && caller.atOnce !== true && chain.app.forked === undefined
  if (!mayLeave || settings.readSlice === 0 || world.ethereum === undefined) return undefined
  return slicedView(world.ethereum, {
    slice: { left: BigInt(settings.readSlice) },
    known: resumed?.read?.ends ?? [],
    meter,
    onTimeout: () => new TimedOut(settings.evmTimeout),
  })
}

type Leaving = {
  readonly slice: GasSlice
  /** The results of the first executions. */
  readonly known: readonly LongReadEnd[]
  readonly meter: GasMeter | undefined
  readonly onTimeout: () => Error
}

function slicedView(view: EthereumView, { slice, known, meter, onTimeout }: Leaving): SlicedView {
  const ends = [...known]
  let next = 0
  /** Returns the next known result, or that of `run` if there is none. */
  const knownOr = <Value>(run: () => Value): Value => {
    const end = ends[next]
    next += 1
    return end === undefined ? run() : (longReadValue(end, onTimeout) as Value)
  }
  /** Returns the result of an execution within the slice, and keeps it. Throws `LeavesCore` beyond. */
  const executed = <Value>(state: AppState, work: LongWork, run: () => Value): Value => {
    const before = slice.left
    try {
      const value = run()
      ends.push({ ended: 'value', value })
      return value
    } catch (error) {
      if (error instanceof SliceOver) throw new LeavesCore({ work, state }, ends)
      ends.push(failedEnd(error))
      throw error
    } finally {
      if (meter !== undefined) meter.used += before - slice.left
    }
  }
  /** Returns the result of several executions, and keeps it instead of theirs. */
  const together = <Value>(run: () => Value): Value => {
    if (ends[next]?.ended === 'together') return knownOr(run)
    const first = next
    const value = run()
    ends.splice(first, ends.length - first, { ended: 'together', value })
    next = ends.length
    return value
  }
  const sliced = <Value>(state: AppState, work: LongWork, run: () => Value): Value =>
    knownOr(() => executed(state, work, run))
  const tracesOf = ({ state, ...given }: BlockTraces): readonly LongReadEnd[] =>
    executed(state, { part: 'blockTraces', given }, () =>
      tracedIn(slice, given.txs.slice(0, given.wanted.at(-1)?.count ?? 0), (own) => {
        const wanted = given.wanted.map((one) => ({ ...one, slice: own }))
        return endsOfTraces(view, { state, ...given, wanted })
      }),
    )
  return derived(view, {
    together,
    call: (state, given) => sliced(state, { part: 'call', given }, () => view.call(state, { slice, ...given })),
    estimate: (state, given) =>
      sliced(state, { part: 'estimate', given }, () => view.estimate(state, { slice, ...given })),
    series: (state, given) =>
      sliced(state, { part: 'series', given }, () => view.series(state, given.map(withSlice(slice)))),
    trace: (state, given) =>
      sliced(state, { part: 'trace', given }, () =>
        tracedIn(slice, given.before ?? [], (own) => view.trace(state, { ...given, slice: own })),
      ),
    blockTraces: (asked) => {
      try {
        return knownOr(() => tracesOf(asked())).map((end) => traceEnd(end, onTimeout))
      } catch (error) {
        if (!(error instanceof TimedOut)) throw error
        return asked().wanted.map(() => ({ error }))
      }
    },
  })
}

type Changed = Pick<SlicedView, 'together' | 'call' | 'estimate' | 'series' | 'trace' | 'blockTraces'>

/** Returns a view with some functions of its own. To copy the many others would take longer than a small call. */
function derived(view: EthereumView, own: Changed): SlicedView {
  return Object.assign(Object.create(view) as EthereumView, own)
}

/** Returns the end of a trace from its plain form. */
function traceEnd(end: LongReadEnd, onTimeout: () => Error): TraceEnd {
  try {
    return { json: longReadValue(end, onTimeout) as string }
  } catch (error) {
    if (!isExpected(error)) throw error
    return { error }
  }
}

function withSlice(slice: GasSlice): (block: CallBlock) => CallBlock {
  return ({ calls, ...block }) => ({
    ...block,
    calls: calls.map((call: EthereumCall) => ({ ...call, slice })),
  })
}

/** The transactions before a traced one run as they did in their block, without a slice. */
function tracedIn<Traces>(slice: GasSlice, before: readonly RecoveredTx[], trace: (own: GasSlice) => Traces): Traces {
  const gas = before.reduce((sum, { tx }) => sum + tx.gasLimit, 0n)
  if (gas > slice.left) throw new SliceOver()
  const own = { left: (slice.left - gas) / traceWeight }
  const traces = trace(own)
  slice.left = own.left * traceWeight
  return traces
}

/**
 * Pauses a batch so that other requests are served. Returns the node, the outputs, and the entry
 * the rest of the batch waits for. Returns undefined if its reads have used less gas than one
 * slice.
 */
export function pausedBatch(node: Node, { used }: GasMeter): Paused | undefined {
  if (used === 0n || used < BigInt(node.settings.readSlice)) return undefined
  const { node: paused, output, id } = withTask(node, { type: 'pause' })
  return {
    node: paused,
    outputs: [output],
    answer: { waiting: new WaitingReply({ for: 'performed', id }, undefined), outcome: undefined, isPaused: true },
  }
}

/** A batch paused between two of its calls. */
export type Paused = {
  readonly node: Node
  readonly outputs: readonly Output[]
  readonly answer: { readonly waiting: WaitingReply; readonly outcome: undefined; readonly isPaused: true }
}

/** Returns the state from which an owed call resumes, or undefined if the call has not started. */
export function resumedOf(
  { outcome, read, isPaused }: Owed,
  woken: Resumed['woken'],
  decision: Resumed['decision'],
): Resumed | undefined {
  if (isPaused === true) return undefined
  const hasEnded = read !== undefined && typeof woken === 'object' && woken.ok
  const known = hasEnded ? { ...read, ends: [...read.ends, longReadEndOf(woken.text)] } : read
  return { outcome, woken, decision, ...(known && { read: known }) }
}

/** The result of letting a read leave the core. */
export type Left = {
  readonly node: Node
  readonly outputs: readonly Output[]
  readonly waiting: WaitingReply
  readonly read: OwedRead
}

/**
 * Returns the node after a read has left the core, the outputs, and the wait of its reply. Throws
 * `TooManyLongReads`.
 */
export function leave({ node }: CallRun, seen: Node, { job, ends }: LeavesCore): Left {
  const { maxLongReads, evmTimeout } = node.settings
  const away = node.owed.filter(({ read }) => read !== undefined).length
  if (away >= maxLongReads) throw new TooManyLongReads(maxLongReads)
  const { part } = job.work
  const count = job.work.part === 'blockTraces' ? job.work.given.wanted.length : 1
  const timeoutMs = count * Number(durationMs(evmTimeout))
  const { node: left, output, id } = withTask(node, { type: 'read', part, timeoutMs })
  return {
    node: left,
    outputs: [output],
    waiting: new WaitingReply({ for: 'performed', id }, undefined),
    // Owed replies are removed: otherwise old nodes would keep each other alive forever.
    read: { seen: { ...seen, owed: [] }, job, ends },
  }
}

/**
 * Throws unless the execution outside the core has ended and its node is still valid: `LongReadLost`,
 * or `LongReadFailed` if a bug ended it.
 */
export function assertCompleted(woken: Resumed['woken'] | undefined, { seen }: OwedRead): void {
  if (seen === undefined) throw new LongReadLost('the node has restarted')
  if (typeof woken !== 'object' || woken.ok) return
  throw woken.isBug === true ? new LongReadFailed(woken.error) : new LongReadLost(woken.error)
}

/** Thrown out of a method whose execution continues outside the core. Caught by `answerCall`. */
export class LeavesCore extends Bug {
  readonly job: LongRead
  /** The results of the executions before it. */
  readonly ends: readonly LongReadEnd[]

  constructor(job: LongRead, ends: readonly LongReadEnd[]) {
    super('LEAVES_CORE', `a ${job.work.part} needs more gas than its first slice`, {
      hint: 'Catch this error in the caller that passes the view.',
    })
    this.job = job
    this.ends = ends
  }
}

/** A call that exceeded `evm-timeout`, with geth's text. */
class TimedOut extends RpcError {
  constructor(evmTimeout: string) {
    super(-32000, `execution aborted (timeout = ${evmTimeout})`)
  }
}

/** Thrown when too many reads are running or waiting. */
class TooManyLongReads extends RpcError {
  constructor(most: number) {
    super(-32005, `chainstage: the limit of ${most} long reads is reached; retry later or raise --max-long-reads`)
  }
}

/** Thrown when the thread of a read failed, or the process that ran it has ended. */
class LongReadLost extends RpcError {
  constructor(why: string) {
    super(-32000, `chainstage: the read did not complete: ${why}; retry the request`)
  }
}

/** Thrown when a bug ended a read in its thread; the message contains the stack there. */
class LongReadFailed extends Bug {
  constructor(why: string) {
    super('LONG_READ_FAILED', why)
  }
}
