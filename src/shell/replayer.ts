/** Replays a recording on a simulation built from its header. */
import { compileScenario } from '../scenario/compile.ts'
import { parseRecording, replay, type Difference } from '../recording/replay.ts'
import { digest } from '../simulation/digest.ts'
import type { Settings } from '../settings/settings.ts'
import { profileSettings } from '../settings/profiles.ts'
import { createSimulation, simulate } from '../simulation.ts'
import { noPlan } from './start.ts'
import { createWorld } from './world.ts'

/** Returns how many inputs were played and the first difference, if there is one. Throws `InvalidRecording`. */
export function replayText(text: string): { count: number; difference: Difference | undefined } {
  const recording = parseRecording(text)
  const { files, scenario, settings: recorded } = recording.header
  const given = recorded as Partial<Settings>
  const settings: Settings = { ...profileSettings(given.profile ?? 'local'), ...given }
  const plan = scenario === '' ? noPlan : compileScenario(new Map(Object.entries(files)), scenario).plan
  const { world, genesis } = createWorld(settings, files['genesis'])
  let simulation = createSimulation(world, { settings, genesis, plan })
  const difference = replay(recording, (input) => {
    const { simulation: next, outputs } = simulate(world, simulation, input)
    simulation = next
    return { outputs, digest: () => digest(next) }
  })
  return { count: recording.lines.length, difference }
}
