/** The chain and index as seen by the application's tx and block services. */
import type { ChainServices, FoundTx, NodeIdentity, QueryContext } from '../../app/application.ts'
import type { Chain } from '../../chain/chain.ts'
import { blockBytes } from '../../chain/hashing.ts'
import { recordAt } from '../../chain/history.ts'
import { txByHash } from '../../chain/lookups.ts'
import { resolveHeight } from '../../chain/view.ts'
import { blockId } from '../../codec/votes.ts'
import { SimError } from '../../errors.ts'
import { storeQueryContext } from '../../node/latestQuery.ts'
import type { Node } from '../../node/node.ts'
import { RpcError } from '../errors.ts'
import type { Context } from '../method.ts'
import { failed } from './errors.ts'
import { nodeIdentity } from './identity.ts'
import { indexedHeight } from './indexed.ts'
import { highestKnown } from './lookup.ts'
import { pageBounds } from './paging.ts'
import { searchPage } from './searchPage.ts'
import { setAt } from './validators.ts'
import type { IndexedTx } from '../../chain/indexing.ts'

/** Returns the context of an application query on a node. */
export function queryContext(context: Pick<Context, 'world' | 'node' | 'view'>): QueryContext {
  return {
    ...storeQueryContext(context.node.chain),
    services: chainServices(context),
    ...(context.view && { view: context.view }),
  }
}

/**
 * Returns the look-ups of a node. Their errors have CometBFT's text only, as inside the node's
 * process.
 */
export function chainServices(context: Pick<Context, 'world' | 'node'>): ChainServices {
  const { node } = context
  const { chain } = node
  return {
    blockAt: (height) => foundBlock(chain, height),
    txByHash: (hash) => plainly(() => foundByHash(node, hash)),
    txsOf: (query, { page, limit, order }) =>
      plainly(() => {
        const { total, found } = searchPage(node, query, { page, perPage: limit, order })
        return { total, txs: found.map((one) => foundTx(chain, one)) }
      }),
    validatorsAt: (height, { page, limit }) =>
      plainly(() => {
        const resolved = resolveHeight(chain, height, highestKnown(chain))
        const all = setAt(chain, resolved).validators
        const { from, to } = pageBounds(page, limit, all.length)
        return {
          height: resolved,
          total: all.length,
          validators: all.slice(from, to).map((each) => ({ ...each, publicKey: each.publicKey.bytes })),
        }
      }),
    node: (): NodeIdentity => nodeIdentity(context),
  }
}

function foundBlock(chain: Chain, height: bigint) {
  const record = recordAt(chain.history, resolveHeight(chain, height))
  if (record === undefined) throw new ServiceRefused(`height ${height} is not available`)
  return {
    height,
    id: blockId.message.encode(record.id),
    block: blockBytes(record.block),
    txs: record.block.txs,
  }
}

function foundByHash(node: Node, hash: Uint8Array): FoundTx | undefined {
  if (node.settings.indexer === 'null') throw failed('transaction indexing is disabled')
  const found = txByHash(node.chain.history, hash)
  const isIndexed = found !== undefined && found.height <= indexedHeight(node)
  return isIndexed ? foundTx(node.chain, found) : undefined
}

/** Returns a transaction with the time of its block. The block must not be pruned. */
function foundTx(chain: Chain, { height, hash, tx, result }: IndexedTx): FoundTx {
  const record = recordAt(chain.history, resolveHeight(chain, height))
  if (record === undefined) throw new ServiceRefused(`height ${height} is not available`)
  return { height, time: record.block.header.time, hash, tx, result }
}

/**
 * Rethrows an error of CometBFT RPC with the text of its data, which is the text of the node's
 * function.
 */
function plainly<Found>(ask: () => Found): Found {
  try {
    return ask()
  } catch (error) {
    const data = error instanceof RpcError ? error.data : undefined
    if (typeof data !== 'string') throw error
    throw new ServiceRefused(String(JSON.parse(data)))
  }
}

/** Thrown when a function of the node refuses; the message is its text. */
class ServiceRefused extends SimError {
  constructor(text: string) {
    super('SERVICE_REFUSED', text)
  }
}
