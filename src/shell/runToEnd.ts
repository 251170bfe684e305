/** Serves a scenario until its last step, or until its time is over. */
import { SimError } from '../errors.ts'
import type { Simulation } from '../simulation.ts'
import type { Settings } from '../settings/settings.ts'
import type { Loaded } from './scenarioFiles.ts'
import type { Sinks } from './queue.ts'
import { run } from './server.ts'

export type Ended = Pick<Simulation, 'plan' | 'progress'>

export type ToRun = { readonly settings: Settings; readonly scenario: Loaded | undefined; readonly genesis: string | undefined }

/** Resolves with how far a scenario came; listeners are open while it runs, on free ports unless some are given. */
export async function runToEnd({ settings, scenario, genesis }: ToRun, sinks: Pick<Sinks, 'log' | 'record'>): Promise<Ended> {
  if (scenario === undefined) throw new NoScenario()
  const { plan } = scenario
  let end: (simulation: Simulation) => void = () => {}
  const ended = new Promise<Simulation>((done) => { end = done })
  const isOver = ({ node, progress }: Simulation) => progress.state !== 'running' || node.nowMs >= plan.timeoutMs
  const running = await run({
    settings, plan, genesis, home: undefined, log: sinks.log,
    record: (input, outputs, simulation) => {
      sinks.record(input, outputs, simulation)
      if (isOver(simulation)) end(simulation)
    },
  })
  const last = isOver(running.simulation()) ? running.simulation() : await ended
  await running.close()
  return last
}


export class NoScenario extends SimError {
  constructor() {
    super('NO_SCENARIO', 'expected a scenario file', { hint: 'For example scenarios/slow-node.json5.' })
  }
}
