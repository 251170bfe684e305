import type { Node } from '../../node/node.ts'
import { hasQuirk } from '../../settings/quirks.ts'

/** How long the node's indexer takes to file a block, in milliseconds. */
const lagMs = 5n

/**
 * Returns the height up to which transactions and blocks are searchable: with `comet-index-lag` not
 * those of this moment, because the node files a block after it has published it (`comet-rpc.md`
 * §1.16).
 */
export function indexedHeight({ chain, made, nowMs, settings }: Node): bigint {
  const fresh = made.at(-1)
  if (fresh === undefined || nowMs >= fresh.atMs + lagMs || fresh.below >= chain.height) {
    return chain.height
  }
  return hasQuirk(settings, 'comet-index-lag') ? fresh.below : chain.height
}
