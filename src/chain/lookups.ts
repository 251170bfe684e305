/** Finds blocks and transactions by hash. */
import { plainHexOf } from '../codec/hex.ts'
import { equalBytes } from '../data/bytes.ts'
import { type HashIndex, numbersOfHash } from '../data/hashIndex.ts'
import type { BlockRecord } from './block.ts'
import { ethHashOf } from './ethIds.ts'
import { recordAt } from './history.ts'
import { type EthereumPlace, ethereumPlaceOf, type History, type IndexedTx, txAt } from './indexing.ts'
import { txNumberOf } from './txHashes.ts'

/** Returns the record with a CometBFT block hash, or undefined. */
export function recordByHash(history: History, hash: Uint8Array): BlockRecord | undefined {
  return recordWhere(history, hash, ({ id }) => id.hash)
}

/** Returns the record with an Ethereum JSON-RPC block hash (`ethIds.ts`), or undefined. */
export function recordByEthHash(history: History, hash: Uint8Array): BlockRecord | undefined {
  return recordWhere(history, hash, ethHashOf)
}

function recordWhere(
  history: History,
  hash: Uint8Array,
  hashOf: (record: BlockRecord) => Uint8Array,
): BlockRecord | undefined {
  for (const height of numbersIn(history.blockByHash, hash)) {
    const record = recordAt(history, BigInt(height))
    if (record !== undefined && equalBytes(hashOf(record), hash)) return record
  }
  return undefined
}

/**
 * Returns a transaction by CometBFT hash, or undefined. If the same bytes were included twice, the
 * later transaction is returned.
 */
export function txByHash(history: History, hash: Uint8Array): IndexedTx | undefined {
  const number = txNumberOf(history, hash)
  return number === undefined ? undefined : txAt(history, number)
}

/** Returns the height and index of an Ethereum transaction, or undefined. */
export function ethTxPlace(history: History, hash: Uint8Array): EthereumPlace | undefined {
  for (const number of numbersIn(history.ethTxByHash, hash)) {
    const place = ethereumPlaceOf(number)
    const found = recordAt(history, place.height)?.ethereum.transactions[place.index]
    if (found !== undefined && equalBytes(found.hash, hash)) return place
  }
  return undefined
}

function numbersIn(index: HashIndex, hash: Uint8Array): Iterable<number> {
  return numbersOfHash(index, plainHexOf(hash))
}
