/** Serves a scenario until its last step, until a program has ended, or until its time is over. */
import { assert } from '../errors.ts'
import { maskedText } from '../fault/openCalls.ts'
import type { RunOutcome } from '../scenario/report/outcome.ts'
import { unusedFaults } from '../scenario/unusedFaults.ts'
import { recentCalls } from '../simulation/journal.ts'
import type { Settings } from '../settings/settings.ts'
import { runChild, type ProgramOutput } from './child.ts'
import type { Sinks } from './queue.ts'
import type { Report } from './recordings/modes.ts'
import type { Opened } from './recordings/openPlaying.ts'
import type { Loaded } from './scenarioFiles.ts'
import { run, type Running, type RunOptions } from './server.ts'
import { stopCode, type StopSignal } from './stopSignals.ts'
import type { Simulation } from '../simulation/turn.ts'

export type ToRun = {
  readonly settings: Settings
  readonly scenario: Loaded | undefined
  readonly genesis: string | undefined
  readonly home?: string | undefined
  /** Resolves with what is wrong with the settings but does not hinder the run. */
  readonly warnings?: () => Promise<readonly string[]>
  /** A program and its arguments. */
  readonly command?: readonly string[]
  /** Takes what the program prints, in place of the streams of this process. */
  readonly printed?: ProgramOutput
  /** Answers in place of the chain. */
  readonly playing?: Opened
  /** Aborted by a request to end the run; the reason is its name (`stopRequest`). */
  readonly stop?: AbortSignal
}

/** Addresses for a run that nobody else needs to find: any free ports, and no control port. */
export const freePorts: Partial<Settings> = {
  rpcLaddr: 'tcp://127.0.0.1:0',
  ethAddress: '127.0.0.1:0',
  ethWsAddress: '127.0.0.1:0',
  apiAddress: '127.0.0.1:0',
  grpcAddress: '127.0.0.1:0',
  controlAddress: '',
}

/** The same with a control port, for a program that wants to give signals or move time. */
export const freePortsWithControl: Partial<Settings> = {
  ...freePorts,
  controlAddress: '127.0.0.1:0',
}

const callsShown = 20

/** What became of a run, and of the recording that was played. */
export type Ran = RunOutcome & { readonly playback?: Report }

/**
 * Resolves with how far a scenario came; listeners are open while it runs. A program is waited for,
 * then the rest of the steps; one that is still running when the time is over is ended. A request
 * to stop ends both. A recording that was played is ended, and what it has learned is written.
 */
export async function runToEnd(
  { settings, scenario, genesis, home, warnings, command = [], printed, playing, stop }: ToRun,
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
    if (waits) await Promise.race([isOver, late.passed])
    const stoppedBy = isStopped() ? (stop?.reason as StopSignal) : undefined
    // What is done at the end is done however the run ended.
    const why =
      stoppedBy !== undefined
        ? `${stoppedBy} ended the run`
        : childCode === 0
          ? 'the run timed out'
          : 'the program failed'
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
      ...(stoppedBy === undefined ? {} : { stopped: { by: stoppedBy, code: stopCode(stoppedBy) } }),
    }
  } finally {
    late.clear()
    await running.close()
  }
  return playing === undefined ? outcome : { ...outcome, playback: await playing.end() }
}

type RunSinks = Pick<Sinks, 'log' | 'record'> &
  Pick<RunOptions, 'isRecorded'> & {
    /** Told when listeners are open; the run ends where it throws. */
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

/** Notes in `ms` how long each step took, each time it learns how many of them are over. */
function stepTimes(began: number) {
  const ms: number[] = []
  let before = began
  return {
    ms,
    at: (over: number) => {
      if (over <= ms.length) return
      const now = performance.now()
      // Steps that ended with the same input share its time with the first of them.
      ms.push(now - before, ...Array<number>(over - ms.length - 1).fill(0))
      before = now
    },
  }
}

const longestTimerMs = 2n ** 31n - 1n

type Lateness = {
  readonly signal: AbortSignal
  readonly passed: Promise<void>
  readonly clear: () => void
}

/** Where nothing happens, nothing says that the time is over: a timer does. */
function lateness(timeoutMs: bigint): Lateness {
  const abort = new AbortController()
  const ms = Number(timeoutMs < longestTimerMs ? timeoutMs : longestTimerMs)
  const timer = setTimeout(() => abort.abort(), ms)
  const passed = new Promise<void>((done) => {
    abort.signal.addEventListener('abort', () => done())
  })
  return { signal: abort.signal, passed, clear: () => clearTimeout(timer) }
}
