/** The in-process API: `start` gives a running chain with its URLs and controls. */
import type { OperatorCommand } from '../node/input.ts'
import type { NodeKey } from '../node/world.ts'
import type { Plan } from '../node/plan.ts'
import { profileSettings } from '../settings/profiles.ts'
import type { Settings } from '../settings/settings.ts'
import type { Simulation } from '../simulation.ts'
import { loadScenario } from './scenarioFiles.ts'
import { run, type Urls } from './server.ts'
import type { Sinks } from './queue.ts'

/** `scenario` is the path of a scenario file; `settings` override what it and its profile say. */
export type StartOptions = {
  readonly scenario?: string
  readonly settings?: Partial<Settings>
  /** Text of a genesis document, instead of the one of the profile. */
  readonly genesis?: string
  /** Told what the log would say; nothing is printed. */
  readonly log?: Sinks['log']
}

export type Server = {
  readonly urls: Urls
  readonly settings: Settings
  readonly keys: readonly NodeKey[]
  readonly simulation: () => Simulation
  readonly operate: (command: OperatorCommand) => void
  /** Moves simulation time in milliseconds, where `pace` is `manual`. */
  readonly advance: (ms: number) => Promise<void>
  readonly close: () => Promise<void>
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** What is followed without a scenario: nothing. */
export const noPlan: Plan = { name: 'none', description: '', digest: '', seed: 'chainstage', faults: [], steps: [], timeoutMs: 0n }

/** Resolves with a chain that serves. Throws `SimError` with advice when it cannot. */
export async function start(options: StartOptions = {}): Promise<Server> {
  const given = options.settings ?? {}
  const compiled = options.scenario === undefined ? undefined : await loadScenario(options.scenario)
  const profile = given.profile ?? compiled?.settings.profile ?? 'local'
  const settings: Settings = { ...profileSettings(profile), ...compiled?.settings, ...given, profile }
  const running = await run({
    settings, plan: compiled?.plan ?? noPlan, genesis: options.genesis, log: options.log ?? (() => {}),
    record: () => {}, home: undefined,
  })
  const { urls, keys, simulation, advance, close } = running
  return {
    urls, keys, simulation, advance, close, settings: running.settings,
    operate: (command) => running.operate('program', command), [Symbol.asyncDispose]: close,
  }
}
