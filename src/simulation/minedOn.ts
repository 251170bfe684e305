import { withoutMining } from '../node/mining.ts'
import type { World } from '../node/world.ts'
import { type Turn, commanded, withNode } from './turn.ts'

/**
 * Returns the turn after the next slice of the oldest mining job. If the slice fails, the job is
 * cancelled and its caller gets a response.
 */
export function minedOn(world: World, turn: Turn): Turn {
  const { node } = turn.simulation
  if ((node.mining ?? []).length === 0) return turn
  const after = commanded(world, turn, { by: 'mining', command: { type: 'mineOn' } })
  return after.simulation.node === node ? withNode(after, withoutMining(node)) : after
}
