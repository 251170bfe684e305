/** Checkpoints: a checkpoint is a reference to an old, immutable chain (design §3). */
import { sealHistory } from '../chain/indexing.ts'
import type { Checkpoint, Filter, Node } from './node.ts'

/** Maximum number of checkpoints; the oldest is removed first. */
const most = 10_000

/**
 * Returns the node with a new checkpoint of its chain and filters. Ids count up in hex, as
 * Ganache's do.
 */
export function withCheckpoint(node: Node): { node: Node; id: string } {
  const id = `0x${node.counters.checkpoint.toString(16)}`
  // Whoever goes back leaves blocks behind, which checkpoints would keep. On a chain that only goes forward, they share
  // storage, whose old blocks are closed for all of them.
  const goesBack = node.checkpoints.length + 1 < node.counters.checkpoint
  if (goesBack) sealHistory(node.chain.history)
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
 * Returns the node with the chain and filters of a checkpoint, or undefined if the id is unknown.
 * The checkpoint and all later ones are removed; the block policy is kept.
 */
export function restored(node: Node, id: string): Node | undefined {
  const index = node.checkpoints.findIndex((one) => one.id === id)
  const checkpoint = node.checkpoints[index]
  if (checkpoint === undefined) return undefined
  const chain = { ...checkpoint.chain, policy: node.chain.policy }
  return {
    ...node,
    chain,
    filters: new Map([...checkpoint.filters].map(([id, filter]) => [id, lastPolled(filter, node.filters.get(id))])),
    checkpoints: node.checkpoints.slice(0, index),
  }
}

/** Returns a filter of a checkpoint that expires no sooner than the same filter now. */
function lastPolled(filter: Filter, now: Filter | undefined): Filter {
  return now === undefined ? filter : { ...filter, polledAtMs: now.polledAtMs }
}
