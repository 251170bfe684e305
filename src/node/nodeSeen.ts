import { indexedUpTo } from '../chain/history.ts'
import { lowestWhole, rolledBack } from '../chain/rollback.ts'
import type { Lag, ViewEffect } from '../fault/effect.ts'
import type { Node } from './node.ts'

/**
 * Returns the node as a query sees it under view faults (`mocks.md` §3.3, §3.5). It is as of an
 * earlier height or time (`stale`), or its indexes lag. The mempool is always the current one.
 */
export function nodeSeen(node: Node, views: readonly ViewEffect[]): Node {
  return views.reduce((before, { type, lag }) => {
    const height = heightBehind(before, lag)
    const { chain } = before
    if (height >= chain.height) return before
    if (type === 'indexLag') {
      return { ...before, chain: { ...chain, history: indexedUpTo(chain.history, height) } }
    }
    const { chain: old } = rolledBack(chain, chain.height - height)
    return { ...before, chain: { ...old, mempool: chain.mempool } }
  }, node)
}

/** Returns the height a lagging node has reached, at least the lowest height that is kept. */
function heightBehind({ chain, made, nowMs }: Node, { unit, count }: Lag): bigint {
  const { height } = chain
  const lowest = lowestWhole(chain)
  const known = made.filter((one) => one.height <= height)
  const behind =
    unit === 'blocks'
      ? height - count
      : (known.findLast(({ atMs }) => atMs + count <= nowMs)?.height ?? known[0]?.below ?? height)
  return behind > lowest ? behind : lowest < height ? lowest : height
}
