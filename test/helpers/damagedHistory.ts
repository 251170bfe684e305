import { heldIn } from '../../src/chain/heldHistory.ts'
import { BrokenHistory } from '../../src/shell/inputLog/chunkPlace.ts'
import { stateBytes, stateOf } from '../../src/shell/stateFile.ts'
import { type Asked, localSimulation } from './ethSimulation.ts'

/** Returns a chain of the profile `local` whose old blocks, states and index entries cannot be read. */
export function damagedChain(): Asked {
  const chain = localSimulation({}, { open: 0 })
  chain.command({ type: 'produceBlock', count: 300 })
  // What was read before is in memory.
  const simulation = stateOf(stateBytes(chain.simulation()))
  const fail = () => {
    throw new BrokenHistory('000001', 'damaged')
  }
  for (const held of heldIn(simulation.node.chain.history)) held.bytes = { load: fail, part: fail }
  chain.become(simulation)
  return chain
}
