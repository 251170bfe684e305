/** The world of a chain and its first simulation. A restart prepares them before the old chain ends. */
import { assert } from '../errors.ts'
import { takeWanted } from '../app/forked.ts'
import type { Work } from '../data/work.ts'
import type { Plan } from '../plan/plan.ts'
import type { World } from '../node/world.ts'
import type { Settings } from '../settings/settings.ts'
import { buildSimulation } from '../simulation.ts'
import type { Simulation } from '../simulation/turn.ts'
import type { Sinks } from './queue.ts'
import { createWorld } from './world.ts'

export type Beginning = {
  readonly settings: Settings
  readonly world: World
  /** The simulation before the first input. */
  readonly first: Simulation
}

type Given = {
  readonly settings: Settings
  readonly plan: Plan
  /** The user's genesis document. */
  readonly genesis: string | undefined
  /** The generation of the scenario (default 1). */
  readonly generation?: number | undefined
  /** The settings of the genesis that were given for a saved chain, which began with others. */
  readonly noted?: Partial<Settings>
}

/**
 * Returns the beginning of a chain, in pieces. Throws if the chain cannot start because of its
 * genesis, its fixtures or their transactions.
 */
export function* begin({ settings, plan, genesis: document, generation = 1, noted = {} }: Given): Work<Beginning> {
  const { world, genesis } = createWorld(settings, document)
  yield
  const first = yield* buildSimulation(world, { settings, genesis, plan, generation })
  const { forked } = first.node.chain.app
  // The fixtures of a fork wait for its first input; nothing else needs the other chain's state this early.
  assert(forked === undefined || takeWanted(forked).length === 0, 'a fork began with state that it does not have yet')
  const hasNoted = Object.keys(noted).length > 0
  return { settings, world, first: hasNoted ? { ...first, node: { ...first.node, noted } } : first }
}

/** Logs that the validators of a user's genesis document have keys of this chain, if they do. */
export function noteKeys({ node }: Simulation, { genesis, log }: Pick<Given, 'genesis'> & Pick<Sinks, 'log'>): void {
  if (genesis === undefined || node.chain.genesis.document === genesis) return
  log(
    'info',
    'the validators of the genesis document have other keys, because theirs were not given (--validator-keys)',
  )
}

/** Returns settings in which a chain that follows real time starts now, unless they say when. */
export function startingNow(settings: Settings): Settings {
  return settings.time === 'wall' && settings.startTimeMs === 0 ? { ...settings, startTimeMs: Date.now() } : settings
}
