import { noPlan } from '../../src/plan/plan.ts'
import { headerLine, recordLine } from '../../src/recording/format.ts'
import { parseRecording, replay, type Difference } from '../../src/recording/replay.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { run, type Running } from '../../src/shell/server.ts'
import { createWorld } from '../../src/shell/world.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'
import { digest } from '../../src/simulation/digest.ts'

/** Starts a server; `lines` gets the line of each input that a recording has after its header. */
export async function runRecorded(
  settings: Settings,
  plan = noPlan,
): Promise<{ readonly running: Running; readonly lines: readonly string[] }> {
  const lines: string[] = []
  const running = await run({
    settings,
    plan,
    genesis: undefined,
    home: undefined,
    log: () => {},
    record: (input, outputs, simulation) => {
      lines.push(recordLine(input, outputs, () => digest(simulation)))
    },
  })
  return { running, lines }
}

/** Replays the lines of a run from the inputs alone. Returns the first difference, if any. */
export function replayRecorded(settings: Settings, lines: readonly string[], plan = noPlan): Difference | undefined {
  const header = headerLine({ format: 2, version: '0', scenario: '', seed: settings.seed, files: {}, settings })
  const { world, genesis } = createWorld(settings)
  let simulation = createSimulation(world, { settings, genesis, plan })
  return replay(parseRecording([header, ...lines, ''].join('\n')), (input) => {
    const { simulation: after, outputs } = simulate(world, simulation, input)
    simulation = after
    return { outputs, digest: () => digest(after) }
  })
}
