/** Serves a scenario until its last step, until a program has ended, or until its time is over. */
import { SimError } from '../errors.ts'
import { maskedText } from '../fault/openCalls.ts'
import type { RunOutcome } from '../scenario/report/outcome.ts'
import { recentCalls } from '../simulation/journal.ts'
import type { Simulation } from '../simulation.ts'
import type { Settings } from '../settings/settings.ts'
import { runChild } from './child.ts'
import type { Sinks } from './queue.ts'
import type { Loaded } from './scenarioFiles.ts'
import { run, type Running, type RunOptions } from './server.ts'

export type ToRun = {
  readonly settings: Settings
  readonly scenario: Loaded | undefined
  readonly genesis: string | undefined
  readonly home?: string | undefined
  /** A program and its arguments. */
  readonly command?: readonly string[]
}

/** Addresses for a run that nobody else needs to find: any free ports, and no control port. */
export const freePorts: Partial<Settings> = {
  rpcLaddr: 'tcp://127.0.0.1:0', ethAddress: '127.0.0.1:0', ethWsAddress: '127.0.0.1:0',
  controlAddress: '',
}

/** The same with a control port, for a program that wants to give signals or move time. */
export const freePortsWithControl: Partial<Settings> = {
  ...freePorts, controlAddress: '127.0.0.1:0',
}

const callsShown = 20

/**
 * Resolves with how far a scenario came; listeners are open while it runs. A program is waited for,
 * then the rest of the steps; one that is still running when the time is over is ended.
 */
export async function runToEnd(
  { settings, scenario, genesis, home, command = [] }: ToRun, sinks: RunSinks,
): Promise<RunOutcome> {
  if (scenario === undefined) throw new NoScenario()
  const { plan } = scenario
  const began = performance.now()
  let ended = () => {}
  const isOver = new Promise<void>((done) => { ended = done })
  const running = await run({
    settings, plan, genesis, home, log: sinks.log, isRecorded: sinks.isRecorded ?? false,
    record: (input, outputs, simulation) => {
      sinks.record(input, outputs, simulation)
      const { progress, node } = simulation
      if (progress.state !== 'running' || node.nowMs >= plan.timeoutMs) ended()
    },
  })
  const late = lateness(plan.timeoutMs)
  try {
    const child = command.length === 0 ? undefined : runChild(command, running.urls, late.signal)
    const childCode = await child ?? 0
    const state = () => running.simulation().progress.state
    const childFailedFirst = childCode !== 0 && state() !== 'failed'
    if (childCode === 0 && state() === 'running') await Promise.race([isOver, late.passed])
    // What is done at the end is done however the run ended.
    const why = childCode === 0 ? 'time was over' : 'the program had failed'
    if (state() === 'running') running.operate('run', { type: 'endPlan', why })
    const [file = ''] = scenario.closure
    return {
      ...outcomeOf(running), file, childCode, childFailedFirst, wallMs: performance.now() - began,
    }
  } finally {
    late.clear()
    await running.close()
  }
}

type RunSinks = Pick<Sinks, 'log' | 'record'> & Pick<RunOptions, 'isRecorded'>

type Told = Pick<RunOutcome, 'plan' | 'progress' | 'unused' | 'masked' | 'calls'>

function outcomeOf(running: Running): Told {
  const { plan, progress, node, journal }: Simulation = running.simulation()
  return {
    plan, progress,
    unused: plan.faults.map(({ name }) => name)
      .filter((name) => (node.faults.counts.get(name)?.applied ?? 0) === 0),
    masked: node.faults.masked.map(maskedText),
    calls: recentCalls(journal).slice(-callsShown).map(({ side, method }) => `${side} ${method}`),
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

/** A command that needs a scenario and was given none. */
export class NoScenario extends SimError {
  constructor(pattern?: string) {
    super('NO_SCENARIO', pattern === undefined ? 'expected a scenario file' : `no scenario file matches ${pattern}`, {
      hint: 'For example scenarios/slow-node.json5.',
    })
  }
}
