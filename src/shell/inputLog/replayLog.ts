/** Restores a simulation from a log: its snapshot, and a replay of every later input. */
import { SimError } from '../../errors.ts'
import { simulate, type Simulated } from '../../simulation.ts'
import type { Simulation } from '../../simulation/turn.ts'
import type { World } from '../../node/world.ts'
import type { Input } from '../../plan/input.ts'
import { withParts } from '../loadPart.ts'
import { simulationInFile } from '../stateFile.ts'
import { createWorld } from '../world.ts'
import { inputEntryOf, standingOf, withCalls } from './entryText.ts'
import type { InputLog } from './inputLog.ts'

/** `inputs` is the number of replayed inputs. */
export type Replayed = { readonly simulation: Simulation; readonly inputs: number }

/**
 * Resolves with the simulation after the last entry of a log, or undefined for an empty log.
 * `worldOf` returns the world of a simulation. Throws `BadState`, `BrokenLog`, or `OtherOutcome` if
 * an input leads to another block than before.
 */
export async function replayLog(
  log: Pick<InputLog, 'snapshot' | 'read' | 'history'>,
  worldOf: (simulation: Simulation) => World = ownWorld,
): Promise<Replayed | undefined> {
  const snapshot = await log.snapshot()
  if (snapshot === undefined) return undefined
  let simulation = simulationInFile(Buffer.from(snapshot.bytes), log.history?.at)
  let world: World | undefined
  let inputs = 0
  for await (const { sequence, text } of log.read(snapshot.sequence)) {
    const { input, calls, ...expected } = inputEntryOf(text)
    world ??= worldOf(simulation)
    simulation = (await entered(world, withCalls(simulation, calls), input)).simulation
    inputs += 1
    const { height, block } = standingOf(simulation)
    if (height !== expected.height || block !== expected.block) throw new OtherOutcome(sequence, expected.height)
  }
  return { simulation, inputs }
}

function entered(world: World, simulation: Simulation, input: Input): Promise<Simulated> {
  return withParts(() => simulate(world, simulation, input))
}

/** Returns the world for the settings of the process that wrote the log. */
function ownWorld({ node: { settings, chain } }: Simulation): World {
  const { world, genesis } = createWorld(settings)
  const { document } = chain.genesis
  return genesis.document === document ? world : createWorld(settings, document).world
}

/** A replayed input led to another block, because another version of chainstage wrote the log. */
export class OtherOutcome extends SimError {
  constructor(sequence: number, height: bigint) {
    super('OTHER_OUTCOME', `replaying entry ${sequence} of the input log gives a different block ${height}`, {
      hint:
        'Start the version of chainstage that wrote the log, and stop it with Ctrl-C: the log is then not needed. ' +
        'Or remove the log to continue from the state file alone.',
    })
  }
}
