/** Replays a recording on a simulation built from its header. */
import { compileScenario } from '../scenario/compile.ts'
import type { RecordingHeader } from '../recording/format.ts'
import { earlierFormatNote, parseRecording, replay, type Difference, type Player } from '../recording/replay.ts'
import { digest } from '../simulation/digest.ts'
import type { Settings } from '../settings/settings.ts'
import { profileSettings } from '../settings/profiles.ts'
import { createSimulation, simulate } from '../simulation.ts'
import { fakeFor } from './scenarios/fakeFor.ts'
import { loadPart } from './loadPart.ts'
import { createWorld } from './world.ts'
import { noPlan } from '../plan/plan.ts'

/** `note` says why the replay of a recording in an older format may differ. */
export type Replayed = {
  readonly count: number
  readonly difference: Difference | undefined
  readonly note: string | undefined
}

/**
 * Resolves with the number of replayed inputs and the first difference, if any. Throws
 * `InvalidRecording`, which names the file by its path.
 */
export async function replayText(text: string, path?: string): Promise<Replayed> {
  const recording = parseRecording(text, path)
  const difference = replay(recording, await playerOf(recording.header))
  return {
    count: recording.lines.length,
    difference,
    note: difference === undefined ? undefined : earlierFormatNote(recording),
  }
}

/** Resolves with a player that runs the inputs of a recording one by one on a new simulation. */
export async function playerOf(header: RecordingHeader): Promise<Player> {
  const { files, scenario, vars = {}, seed, settings: recorded } = header
  const given = recorded as Partial<Settings>
  // Recordings without `readSlice` were made when all reads ran on the main thread.
  const settings: Settings = { ...profileSettings(given.profile ?? 'local'), readSlice: 0, ...given }
  const plan =
    scenario === ''
      ? noPlan
      : compileScenario(new Map(Object.entries(files)), scenario, {
          vars: new Map(Object.entries(vars)),
          seed,
          mnemonic: settings.mnemonic,
          fake: await fakeFor(Object.values(files)),
        }).plan
  const { world, genesis } = createWorld(settings, files['genesis'])
  // A player runs at once; the schema was loaded with the compiler.
  await loadPart('lateActions')
  let simulation = createSimulation(world, { settings, genesis, plan })
  return (input) => {
    const { simulation: next, outputs } = simulate(world, simulation, input)
    simulation = next
    return { outputs, digest: () => digest(next) }
  }
}
