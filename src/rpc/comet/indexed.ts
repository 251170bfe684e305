import type { Node } from '../../node/node.ts'
import { hasQuirk } from '../../settings/quirks.ts'

/** The time that the node's indexer takes to index a block, in milliseconds. */
const lagMs = 5n

/**
 * Returns the height up to which transactions and blocks are searchable. With `comet-index-lag`,
 * blocks of the current moment are not, because the node indexes a block after publishing it
 * (`comet-rpc.md` §1.16).
 */
export function indexedHeight({ chain, made, nowMs, settings }: Node): bigint {
  const fresh = made.at(-1)
  if (fresh === undefined || nowMs >= fresh.atMs + lagMs || fresh.below >= chain.height) {
    return chain.height
  }
  return hasQuirk(settings, 'comet-index-lag') ? fresh.below : chain.height
}

/** Returns whether all blocks of a node are searchable; then a search has the same result until the next block. */
export function isAllIndexed(node: Node): boolean {
  return indexedHeight(node) === node.chain.height
}
