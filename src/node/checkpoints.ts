/** Checkpoints: holding an old chain is one (design §3). */
import type { Checkpoint, Node } from './node.ts'

/** The most that are kept; the oldest goes first. */
const most = 10_000

/**
 * Returns the node with a checkpoint of its chain and filters; ids count up in hex as Ganache's do.
 */
export function withCheckpoint(node: Node): { node: Node; id: string } {
  const id = `0x${node.counters.checkpoint.toString(16)}`
  const checkpoint: Checkpoint = { id, chain: node.chain, filters: node.filters }
  const checkpoints = [...node.checkpoints, checkpoint].slice(-most)
  return {
    id,
    node: {
      ...node,
      checkpoints,
      counters: { ...node.counters, checkpoint: node.counters.checkpoint + 1 },
    },
  }
}

/**
 * Returns the node with the chain and filters of a checkpoint, or undefined when there is none of
 * that id. The checkpoint and all made after it are gone; how blocks are made stays.
 */
export function restored(node: Node, id: string): Node | undefined {
  const index = node.checkpoints.findIndex((one) => one.id === id)
  const checkpoint = node.checkpoints[index]
  if (checkpoint === undefined) return undefined
  const chain = { ...checkpoint.chain, policy: node.chain.policy }
  return {
    ...node,
    chain,
    filters: checkpoint.filters,
    checkpoints: node.checkpoints.slice(0, index),
  }
}
