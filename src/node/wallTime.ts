/** Wall time in blocks: the time of the machine's clock at simulation time 0. */
import type { Chain } from '../chain/chain.ts'
import { remembered } from '../data/remembered.ts'
import type { Node } from './node.ts'

/**
 * Returns the node with another time of the machine's clock at simulation time 0, also for its reset and its
 * checkpoints. It matters only to blocks that carry wall time.
 */
export function withWallStart(node: Node, startMs: bigint): Node {
  const started = remembered((one: Chain): Chain => ({ ...one, clock: { ...one.clock, startMs } }))
  return {
    ...node,
    chain: started(node.chain),
    origin: started(node.origin),
    checkpoints: node.checkpoints.map((one) => ({ ...one, chain: started(one.chain) })),
  }
}

/** Returns the node after the machine's clock has gone ahead of simulation time by `ms`. */
export function withLeap(node: Node, ms: number | undefined): Node {
  return ms === undefined ? node : withWallStart(node, node.chain.clock.startMs + BigInt(ms))
}
