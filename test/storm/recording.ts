/**
 * A failed storm as a recording: its inputs with the outputs of a straight replay, and its steps in
 * the header. `chainstage replay` runs the inputs as those of one chain, without the crashes.
 */
import type { Input } from '../../src/plan/input.ts'
import { noPlan } from '../../src/plan/plan.ts'
import { headerLine, recordLine, recordingFormat } from '../../src/recording/format.ts'
import { parseRecording } from '../../src/recording/replay.ts'
import { packageVersion } from '../../src/shell/packageFiles.ts'
import { createWorld } from '../../src/shell/world.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'
import { digest } from '../../src/simulation/digest.ts'
import type { Shrunk } from './shrink.ts'
import { beginningOf, climateOf, settingsOf } from './climate.ts'
import type { Storm } from './storm.ts'

const stormFile = 'storm.json'

/** Returns the text of a recording. */
export function recordingOf({ storm, failure }: Shrunk): string {
  const climate = climateOf(storm.seed)
  const settings = settingsOf(climate)
  const { world, genesis } = createWorld(settings)
  let simulation = createSimulation(world, { settings, genesis, plan: noPlan })
  const header = headerLine({
    format: recordingFormat,
    version: packageVersion(),
    scenario: '',
    files: { [stormFile]: JSON.stringify({ ...storm, why: failure.why }) },
    settings,
    seed: settings.seed,
  })
  const lines = asOneLife([...beginningOf(climate).inputs, ...failure.inputs]).map((input) => {
    const after = simulate(world, simulation, input)
    simulation = after.simulation
    return recordLine(input, after.outputs, () => digest(after.simulation))
  })
  return [header, ...lines, ''].join('\n')
}

/** Every life of the process numbers inputs and connections from 1. */
function asOneLife(inputs: readonly Input[]): readonly Input[] {
  let above = 0
  let last = 0
  return inputs.map((input, index) => {
    const connection = 'connection' in input ? input.connection : undefined
    if (input.seq === 1) above = last
    last = Math.max(last, above + (connection ?? 0))
    const numbered = { ...input, seq: index + 1 }
    return connection === undefined ? numbered : ({ ...numbered, connection: above + connection } as Input)
  })
}

/** Returns the storm that a recording was made of. Throws where the recording is of something else. */
export function stormIn(text: string): Storm {
  const { files } = parseRecording(text).header
  const storm = files[stormFile]
  if (storm === undefined) throw new Error('expected a recording that a storm wrote, with storm.json in its header')
  return JSON.parse(storm) as Storm
}
