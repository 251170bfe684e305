import { canonicalJson } from '../../src/data/canonicalJson.ts'
import { digestEvery } from '../../src/recording/record.ts'
import { parseRecording } from '../../src/recording/replay.ts'
import { compileScenario } from '../../src/scenario/compile.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { noPlan } from '../../src/shell/start.ts'
import { createWorld } from '../../src/shell/world.ts'
import { digest } from '../../src/simulation/digest.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'

/** Returns a recording with its inputs and today's outputs: for recordings that ship, after a change that is meant. */
export function rerecord(text: string): string {
  const { header, lines } = parseRecording(text)
  const { files, scenario } = header
  const given = header.settings as Partial<Settings>
  const settings: Settings = { ...profileSettings(given.profile ?? 'local'), ...given }
  const plan = scenario === '' ? noPlan : compileScenario(new Map(Object.entries(files)), scenario).plan
  const { world, genesis } = createWorld(settings, files['genesis'])
  let simulation = createSimulation(world, { settings, genesis, plan })
  const written = lines.map(({ input }) => {
    const turned = simulate(world, simulation, input)
    simulation = turned.simulation
    const isMarked = input.seq % digestEvery === 0
    return canonicalJson({ input, outputs: turned.outputs, ...(isMarked ? { digest: digest(simulation) } : {}) })
  })
  return [canonicalJson(header), ...written, ''].join('\n')
}
