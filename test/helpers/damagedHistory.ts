import { heldIn } from '../../src/chain/heldHistory.ts'
import { BrokenHistory } from '../../src/shell/inputLog/chunkPlace.ts'
import { stateBytes, simulationInFile } from '../../src/shell/stateFile.ts'
import { type Asked, localSimulation, type Reply } from './ethSimulation.ts'

/** Returns a chain of the profile `local` whose old blocks, states and index entries cannot be read. */
export function damagedChain(): Asked {
  const chain = localSimulation({}, { open: 0 })
  for (let count = 0; count < 130; count++) sendTransaction(chain)
  chain.command({ type: 'produceBlock', count: 300 })
  // What was read before is in memory.
  const simulation = simulationInFile(stateBytes(chain.simulation()))
  const fail = () => {
    throw new BrokenHistory('000001', 'damaged')
  }
  for (const held of heldIn(simulation.node.chain.history)) held.bytes = { load: fail, part: fail }
  chain.become(simulation)
  return chain
}

/** Sends a transaction, which is mined at once. */
export function sendTransaction(chain: Asked): Reply {
  const [from] = chain.call('eth_accounts').result as string[]
  return chain.call('eth_sendTransaction', { from, to: from, value: '0x1' })
}
