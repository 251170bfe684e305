/** Runs a scenario in this process, on a clock that jumps to what is due. */
import { compileScenario, type Compiled } from '../../src/scenario/compile.ts'
import type { Input, InputBody } from '../../src/plan/input.ts'
import type { Output } from '../../src/node/output.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { loadPart } from '../../src/shell/loadPart.ts'
import { createWorld, type WorldOrigin } from '../../src/shell/world.ts'
import { createSimulation } from '../../src/simulation.ts'
import { simulateWatched } from './tripwire.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { callOf } from './requests.ts'

const origins = new Map<string, WorldOrigin>()

// A run enters its inputs at once.
await loadPart('lateActions')

export type Run = {
  readonly simulation: () => Simulation
  /** What the log says, in order. */
  readonly said: readonly string[]
  readonly outputs: readonly Output[]
  /** Lets an input in, and what is due until then. */
  readonly enter: (body: InputBody, laterMs?: number) => readonly Output[]
  /** Lets time pass until nothing is due, the scenario is over, or so much time has passed. */
  readonly run: (mostMs?: number) => Run
  /** Calls a method as a client; the parsed reply. */
  readonly call: (
    side: 'comet' | 'eth',
    method: string,
    params: unknown,
  ) => {
    result?: any
    error?: any
  }
}

/** Returns a run of the text of a scenario of the profile `local`, before its first input. */
export function scenarioRun(
  text: string,
  changed: Partial<Settings> = {},
  others: Readonly<Record<string, string>> = {},
): Run {
  return compiledRun(compileScenario(new Map([['s.json5', text], ...Object.entries(others)]), 's.json5'), changed)
}

/** Returns a run of a compiled scenario, before its first input. */
export function compiledRun(
  { plan, settings: own }: Pick<Compiled, 'plan' | 'settings'>,
  changed: Partial<Settings> = {},
): Run {
  const settings: Settings = {
    ...profileSettings(own.profile ?? 'local'),
    ...own,
    ...changed,
    pace: 'instant',
  }
  const key = JSON.stringify([own, changed])
  const origin = origins.get(key) ?? createWorld(settings)
  origins.set(key, origin)
  let simulation = createSimulation(origin.world, { settings, genesis: origin.genesis, plan })
  const said: string[] = []
  const all: Output[] = []
  let timeMs = 0n
  let seq = 0
  let wake: bigint | undefined = 0n
  let works = false
  const enter = (body: InputBody, laterMs = 0): readonly Output[] => {
    timeMs += BigInt(laterMs)
    const input: Input = { ...body, seq: ++seq, timeMs, session: '' }
    const done = simulateWatched(origin.world, simulation, input)
    simulation = done.simulation
    for (const output of done.outputs) {
      all.push(output)
      if (output.kind === 'log') said.push(output.text)
      if (output.kind === 'wake') {
        wake = output.atMs
        works = output.works === true
      }
    }
    return done.outputs
  }
  const it: Run = {
    simulation: () => simulation,
    said,
    outputs: all,
    enter,
    run: (mostMs = 3_600_000) => {
      const end = timeMs + BigInt(mostMs)
      enter({ kind: 'tick' })
      while (simulation.progress.state === 'running' && (works || (wake !== undefined && wake <= end))) {
        if (!works && wake !== undefined && wake > timeMs) timeMs = wake
        enter({ kind: 'tick' })
      }
      return it
    },
    call: (side, method, params) => {
      const outputs = enter(callOf(method, params, { side }))
      const reply = outputs.find((output) => output.kind === 'reply')
      return JSON.parse(reply?.body || 'null') ?? {}
    },
  }
  return it
}

/** Returns the text of a scenario with these steps; `more` are other members. */
export const scenarioOf = (steps: string, more = ''): string =>
  `{ chainstage: 1, name: 'x', ${more} steps: [${steps}] }`
