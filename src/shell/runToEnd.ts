/** Serves a scenario until its last step, until a program has ended, or until its time is over. */
import { SimError } from '../errors.ts'
import type { Masked } from '../fault/rule.ts'
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

/** `childCode` is the exit code of the program, 0 without one. */
export type Ended = Pick<Simulation, 'plan' | 'progress'> & {
  readonly childCode: number
  readonly masked: readonly Masked[]
}

/** Addresses for a run that nobody else needs to find: any free ports. */
export const freePorts: Partial<Settings> = {
  rpcLaddr: 'tcp://127.0.0.1:0', ethAddress: '127.0.0.1:0', ethWsAddress: '127.0.0.1:0', controlAddress: '',
}

/** Resolves with how far a scenario came; listeners are open while it runs. */
export async function runToEnd(
  { settings, scenario, genesis, home, command = [] }: ToRun, sinks: Pick<Sinks, 'log' | 'record'> & Pick<RunOptions, 'isRecorded'>,
): Promise<Ended> {
  if (scenario === undefined) throw new NoScenario()
  const { plan } = scenario
  let ended = () => {}
  const isOver = new Promise<void>((done) => { ended = done })
  const running = await run({
    settings, plan, genesis, home, log: sinks.log, isRecorded: sinks.isRecorded ?? false,
    record: (input, outputs, simulation) => {
      sinks.record(input, outputs, simulation)
      if (simulation.progress.state !== 'running' || simulation.node.nowMs >= plan.timeoutMs) ended()
    },
  })
  try {
    const childCode = command.length > 0 ? await runChild(command, running.urls) : await untilOver(isOver, running, plan.timeoutMs)
    const { progress, node } = running.simulation()
    return { plan, progress, childCode, masked: node.faults.masked }
  } finally {
    await running.close()
  }
}

const longestTimerMs = 2n ** 31n - 1n

/** Where nothing happens, nothing says that the time is over: a timer does. */
async function untilOver(isOver: Promise<void>, running: Running, timeoutMs: bigint): Promise<0> {
  let timer: NodeJS.Timeout | undefined
  const isLate = new Promise<void>((done) => {
    timer = setTimeout(done, Number(timeoutMs < longestTimerMs ? timeoutMs : longestTimerMs))
  })
  if (running.simulation().progress.state === 'running') await Promise.race([isOver, isLate])
  clearTimeout(timer)
  return 0
}

/** A command that needs a scenario and was given none. */
export class NoScenario extends SimError {
  constructor() {
    super('NO_SCENARIO', 'expected a scenario file', { hint: 'For example scenarios/slow-node.json5.' })
  }
}
