import { withoutMining } from '../node/mining.ts'
import type { World } from '../node/world.ts'
import { type Turn, commanded, withNode } from './turn.ts'

/**
 * Returns the turn with the next slice of the oldest mining job. A job whose slice is refused is
 * given up, so that its caller is answered.
 */
export function minedOn(world: World, turn: Turn): Turn {
  const { node } = turn.simulation
  if ((node.mining ?? []).length === 0) return turn
  const after = commanded(world, turn, { by: 'mining', command: { type: 'mineOn' } })
  return after.simulation.node === node ? withNode(after, withoutMining(node)) : after
}
