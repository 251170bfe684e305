/** What the application's tx and block services ask of the chain and its index. */
import type { ChainServices, FoundTx } from '../../app/application.ts'
import type { Chain } from '../../chain/chain.ts'
import { blockBytes } from '../../chain/hashing.ts'
import { type IndexedTx, recordAt, txByHash } from '../../chain/history.ts'
import { blockId } from '../../codec/protobuf/comet.ts'
import { itemAt } from '../../data/segments.ts'
import type { Node } from '../../node/node.ts'
import { failed } from './errors.ts'
import { indexedHeight } from './indexed.ts'
import { readQuery } from './search.ts'
import { searchTxs } from './searchTxs.ts'

/** Returns the look-ups of a node: blocks that are held, transactions that are indexed. */
export function chainServices(node: Node): ChainServices {
  const { chain, settings } = node
  const checkIndex = () => {
    if (settings.indexer === 'null') throw failed('transaction indexing is disabled')
  }
  const isIndexed = ({ height }: IndexedTx) => height <= indexedHeight(node)
  return {
    blockAt: (height) => {
      const record = recordAt(chain.history, height)
      return record && {
        height, id: blockId.encode(record.id), block: blockBytes(record.block),
        txs: record.block.txs,
      }
    },
    txByHash: (hash) => {
      checkIndex()
      const found = txByHash(chain.history, hash)
      return found && isIndexed(found) ? foundTx(chain, found) : undefined
    },
    txsOf: (query) => {
      checkIndex()
      return searchTxs(chain.history, readQuery(query, { isLimited: true }))
        .map((number) => itemAt(chain.history.txs, number))
        .filter(isIndexed).map((found) => foundTx(chain, found))
    },
  }
}

function foundTx({ history }: Chain, { height, hash, tx, result }: IndexedTx): FoundTx {
  const time = recordAt(history, height)?.block.header.time
  if (time === undefined) throw failed(`could not find results for height #${height}`)
  return { height, time, hash, tx, result }
}
