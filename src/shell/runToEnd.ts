/** Serves a scenario until its last step, until a program has ended, or until its timeout. */
import { afterReading } from './afterReading.ts'
import { longestTimerMs } from './pace.ts'
import { allTexts } from '../data/distinctTexts.ts'
import { assert } from '../errors.ts'
import { maskedText } from '../fault/openCalls.ts'
import type { RunOutcome } from '../scenario/report/outcome.ts'
import { unusedFaults } from '../scenario/unusedFaults.ts'
import { recentCalls } from '../simulation/journal.ts'
import type { Settings } from '../settings/settings.ts'
import type { Fork } from './fork/forkParts.ts'
import { runChild, type ProgramOutput } from './process/child.ts'
import type { Sinks } from './queue.ts'
import type { Report } from './recordings/modes.ts'
import type { Opened } from './recordings/openPlaying.ts'
import type { LoadedScenario } from './scenarios/scenarioFiles.ts'
import { run, type Running, type RunOptions } from './server.ts'
import { hasFreePorts, stallOf } from './process/stall.ts'
import { stopCode, type StopSignal } from './process/stopSignals.ts'
import type { Simulation } from '../simulation/turn.ts'

export type ToRun = {
  readonly settings: Settings
  readonly scenario: LoadedScenario | undefined
  readonly genesis: string | undefined
  readonly home?: string | undefined
  /** Resolves with warnings about the settings and the scenario that do not prevent the run. */
  readonly warnings?: () => Promise<readonly string[]>
  /** A program and its arguments. */
  readonly command?: readonly string[]
  /** Receives the output of the program instead of the streams of this process. */
  readonly printed?: ProgramOutput
  /** The playback of a recording that answers instead of the chain. */
  readonly playing?: Opened
  /** The chain that the run forks. */
  readonly forking?: Fork
  /** Aborted by a request to end the run; the reason is its name (`stopRequest`). */
  readonly stop?: AbortSignal
}

/** Addresses for a run that no other program has to find: free ports, and no control port. */
export const freePorts: Partial<Settings> = {
  rpcLaddr: 'tcp://127.0.0.1:0',
  ethAddress: '127.0.0.1:0',
  ethWsAddress: '127.0.0.1:0',
  apiAddress: '127.0.0.1:0',
  grpcAddress: '127.0.0.1:0',
  controlAddress: '',
}

/** Returns the free ports of a run; a program, if there is one, may send signals or move time over a control port. */
export function freePortsFor(program: readonly string[]): Partial<Settings> {
  return program.length > 0 ? { ...freePorts, controlAddress: '127.0.0.1:0' } : freePorts
}

const callsShown = 20

/** The outcome of a run, with the report of the recording if one was played. */
export type Ran = RunOutcome & { readonly playback?: Report }

/**
 * Runs a scenario with open listeners and resolves with its outcome. Waits for the program, if any,
 * then for the remaining steps. The timeout ends a program that is still running; `stop` ends both.
 * A playback ends with the run, and its new responses are written.
 */
export async function runToEnd(
  { settings, scenario, genesis, home, warnings, command = [], printed, playing, forking, stop }: ToRun,
  sinks: RunSinks,
): Promise<Ran> {
  assert(scenario !== undefined, 'a run to the end needs a scenario')
  const { plan } = scenario
  for (const text of (await warnings?.()) ?? []) sinks.log('warn', text)
  const began = performance.now()
  const isStopped = () => stop?.aborted === true
  const steps = stepTimes(began)
  let ended = () => {}
  const isOver = new Promise<void>((done) => {
    ended = done
  })
  stop?.addEventListener('abort', () => ended(), { once: true })
  const running = await run({
    settings,
    plan,
    genesis,
    home,
    log: sinks.log,
    isRecorded: sinks.isRecorded ?? false,
    ...(playing === undefined ? {} : { playing }),
    ...(forking === undefined ? {} : { forking }),
    record: (input, outputs, simulation) => {
      sinks.record(input, outputs, simulation)
      const { progress, node } = simulation
      steps.at(progress.step)
      if (progress.state !== 'running' || node.nowMs >= plan.timeoutMs) ended()
    },
  })
  const late = lateness(plan.timeoutMs)
  let outcome: Omit<RunOutcome, 'playback' | 'retried'>
  try {
    sinks.serving?.()
    const hasProgram = command.length > 0 && !isStopped()
    const childCode = hasProgram ? await runChild(command, running.urls, { late: late.signal, printed }) : 0
    const state = () => running.simulation().progress.state
    const childFailedFirst = childCode !== 0 && state() !== 'failed'
    const waits = childCode === 0 && state() === 'running' && !isStopped()
    const stall = stallOf(running, waits && hasProgram && playing === undefined && hasFreePorts(settings))
    const isStalled = waits && (await Promise.race([isOver, late.passed, stall.noticed])) === 'stalled'
    stall.clear()
    const stoppedBy = isStopped() ? (stop?.reason as StopSignal) : undefined
    // The plan ends the same way for every reason.
    const why =
      stoppedBy !== undefined
        ? `${stoppedBy} ended the run`
        : childCode !== 0
          ? 'the program failed'
          : isStalled
            ? 'the program ended'
            : 'the run timed out'
    if (state() === 'running') running.operate('run', { type: 'endPlan', why })
    const [file = ''] = scenario.closure
    const wallMs = performance.now() - began
    outcome = {
      ...outcomeOf(running),
      file,
      childCode,
      childFailedFirst,
      wallMs,
      stepMs: steps.ms,
      ...(forking === undefined ? {} : { forkMisses: allTexts(forking.misses) }),
      ...(stoppedBy === undefined ? {} : { stopped: { by: stoppedBy, code: stopCode(stoppedBy) } }),
    }
  } finally {
    late.clear()
    // The client whose request ended the run still gets its response.
    await new Promise<void>((done) => {
      afterReading(done)
    })
    await running.close()
  }
  return playing === undefined ? outcome : { ...outcome, playback: await playing.end() }
}

type RunSinks = Pick<Sinks, 'log' | 'record'> &
  Pick<RunOptions, 'isRecorded'> & {
    /** Called when the listeners are open; an error that it throws ends the run. */
    readonly serving?: () => void
  }

type Told = Pick<RunOutcome, 'plan' | 'progress' | 'unused' | 'masked' | 'calls'>

function outcomeOf(running: Running): Told {
  const { plan, progress, node, journal }: Simulation = running.simulation()
  const calls = recentCalls(journal)
  return {
    plan,
    progress,
    unused: unusedFaults(plan.faults, node.faults.counts, calls),
    masked: node.faults.masked.map(maskedText),
    calls: calls.slice(-callsShown).map(({ side, method }) => `${side} ${method}`),
  }
}

/** Returns a stopwatch: `at` takes the number of ended steps, `ms` has their durations. */
function stepTimes(began: number) {
  const ms: number[] = []
  let before = began
  return {
    ms,
    at: (over: number) => {
      if (over <= ms.length) return
      const now = performance.now()
      // If several steps end with the same input, the first one gets all of its time.
      ms.push(now - before, ...Array<number>(over - ms.length - 1).fill(0))
      before = now
    },
  }
}

type Lateness = {
  readonly signal: AbortSignal
  readonly passed: Promise<void>
  readonly clear: () => void
}

/** Returns a timer for the timeout: without inputs, the run would not notice that it has passed. */
function lateness(timeoutMs: bigint): Lateness {
  const abort = new AbortController()
  const ms = Math.min(Number(timeoutMs), longestTimerMs)
  const timer = setTimeout(() => abort.abort(), ms)
  const passed = new Promise<void>((done) => {
    abort.signal.addEventListener('abort', () => done())
  })
  return { signal: abort.signal, passed, clear: () => clearTimeout(timer) }
}
