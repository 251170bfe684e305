/** The simulation that a log leads to: its snapshot, and every input since entered again. */
import { SimError } from '../../errors.ts'
import { simulate, type Simulated } from '../../simulation.ts'
import type { Simulation } from '../../simulation/turn.ts'
import type { World } from '../../node/world.ts'
import type { Input } from '../../node/input.ts'
import { loadScripts } from '../scripts/loading.ts'
import { stateOf } from '../stateFile.ts'
import { createWorld } from '../world.ts'
import { entryOf, standingOf, withCalls } from './entryText.ts'
import type { InputLog } from './inputLog.ts'

/** `inputs` counts those that were entered again. */
export type Replayed = { readonly simulation: Simulation; readonly inputs: number }

/**
 * Resolves with the simulation after the last entry of a log; undefined for an empty log. `worldOf`
 * returns the world that a simulation lives in. Throws `BadState`, `BrokenLog`, or `OtherOutcome`
 * where an input does not lead to the block that it led to.
 */
export async function replayLog(
  log: Pick<InputLog, 'snapshot' | 'read'>,
  worldOf: (simulation: Simulation) => World = ownWorld,
): Promise<Replayed | undefined> {
  const snapshot = await log.snapshot()
  if (snapshot === undefined) return undefined
  let simulation = stateOf(Buffer.from(snapshot.bytes))
  let world: World | undefined
  let inputs = 0
  for await (const { sequence, text } of log.read(snapshot.sequence)) {
    const { input, calls, ...expected } = entryOf(text)
    world ??= worldOf(simulation)
    simulation = (await entered(world, withCalls(simulation, calls), input)).simulation
    inputs += 1
    const { height, block } = standingOf(simulation)
    if (height !== expected.height || block !== expected.block) throw new OtherOutcome(sequence, expected.height)
  }
  return { simulation, inputs }
}

async function entered(world: World, simulation: Simulation, input: Input): Promise<Simulated> {
  const after = simulate(world, simulation, input)
  if (after.needsScripts !== true) return after
  await loadScripts()
  return simulate(world, simulation, input)
}

/** The settings are those of the process that wrote the log, whatever they are now. */
function ownWorld({ node: { settings, chain } }: Simulation): World {
  const { world, genesis } = createWorld(settings)
  const { document } = chain.genesis
  return genesis.document === document ? world : createWorld(settings, document).world
}

/** An input that leads to another block than it did: another version of chainstage wrote the log. */
export class OtherOutcome extends SimError {
  constructor(sequence: number, height: bigint) {
    super('OTHER_OUTCOME', `entry ${sequence} of the input log does not lead to block ${height} as it did`, {
      hint:
        'Start the version of chainstage that wrote the log, and stop it with Ctrl-C: the state file then needs no log. ' +
        'Or remove the log to go on from the state file alone.',
    })
  }
}
