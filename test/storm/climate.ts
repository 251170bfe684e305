/** The chains that storms begin with. All storms of a process share them, because they are immutable. */
import { noPlan } from '../../src/plan/plan.ts'
import type { Input } from '../../src/plan/input.ts'
import { profileSettings } from '../../src/settings/profiles.ts'
import type { Settings } from '../../src/settings/settings.ts'
import { createWorld, type WorldOrigin } from '../../src/shell/world.ts'
import { createSimulation, simulate } from '../../src/simulation.ts'
import type { Simulation } from '../../src/simulation/turn.ts'
import { callOf } from '../helpers/requests.ts'

/**
 * The blocks that a storm's chain begins with: none, the first one, or so many that the next ones
 * push old ones out of memory. With `isTimed`, time follows the clock, as far as the core knows, so
 * long reads leave it. With `isHeld`, transactions wait until a step mines.
 */
export type Climate = {
  readonly age: 'new' | 'young' | 'old'
  readonly isTimed: boolean
  readonly isHeld: boolean
}

/** Returns the climate of a seed. */
export function climateOf(seed: number): Climate {
  const age = seed % 10 === 0 ? 'old' : seed % 10 < 3 ? 'new' : 'young'
  return { age, isTimed: seed % 4 < 2, isHeld: seed % 3 === 1 }
}

export const stormSettings: Settings = {
  ...profileSettings('local'),
  ...{ pace: 'manual', maxSessions: 3, sessionRest: '0s', accounts: 6, readSlice: 100_000 },
}

/** Returns the settings of a storm. */
export function settingsOf({ isTimed, isHeld }: Climate): Settings {
  return { ...stormSettings, ...(isTimed && { pace: 'wall' }), ...(isHeld && { blocks: 'manual' }) }
}

/** Two worlds of the same settings, so that what one of them remembers is not known to the other. */
const made = createWorld(stormSettings)
/** Old blocks leave memory as soon as a chunk of them is full. The replay keeps them as objects. */
export const lived: WorldOrigin = { ...made, world: { ...made.world, retention: { ...made.world.retention, open: 0 } } }
export const replaying = createWorld(stormSettings)

/** A chain in both worlds, and the inputs that led to it. */
export type Beginning = {
  readonly inputs: readonly Input[]
  readonly lived: Simulation
  readonly replayed: Simulation
}

/** Blocks before an old chain's storm: a chunk has 128. */
const oldBlocks = 120

/** Returns the request for blocks. */
const mining = (blocks: number, seq: number): Input => ({
  ...callOf('anvil_mine', [`0x${blocks.toString(16)}`], { atOnce: true }),
  ...{ seq, timeMs: 0n, session: '' },
})

const firstTick: Input = { kind: 'tick', seq: 1, timeMs: 0n, session: '' }

const beginnings = new Map<string, Beginning>()

/** Returns the chain that storms of a climate begin with. */
export function beginningOf(climate: Climate): Beginning {
  const name = JSON.stringify(climate)
  const known = beginnings.get(name)
  if (known !== undefined) return known
  const inputs: readonly Input[] = [
    ...(climate.age === 'new' ? [] : [firstTick]),
    ...(climate.age === 'old' ? [mining(oldBlocks, 2)] : []),
  ]
  const firstIn = ({ world, genesis }: WorldOrigin) => {
    const empty = createSimulation(world, { settings: settingsOf(climate), genesis, plan: noPlan })
    const first = inputs.reduce((before, input) => simulate(world, before, input).simulation, empty)
    // The lists of the newest chain grow in place; those of an older one are copied by each storm.
    if (climate.age !== 'new') simulate(world, first, mining(1, 3))
    return first
  }
  const begun = { inputs, lived: firstIn(lived), replayed: firstIn(replaying) }
  beginnings.set(name, begun)
  return begun
}
