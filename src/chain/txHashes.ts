/**
 * Transactions by their CometBFT hash. If the same bytes were included several times, the numbers of
 * all inclusions are kept apart, because the last one counts.
 */
import { plainHexOf } from '../codec/hex.ts'
import { equalBytes } from '../data/bytes.ts'
import { numbersOfHash, truncatedHashes, withHash, withHashes, withoutHashes } from '../data/hashIndex.ts'
import { mapDelete, mapGet, mapSet, type PersistentMap } from '../data/persistentMap.ts'
import { unlessRefused } from '../errors.ts'
import type { TxRecord } from './block.ts'
import { type History, txAt } from './indexing.ts'

/** Returns the number of the last transaction with a hash, or undefined. */
export function txNumberOf(history: History, hash: Uint8Array): number | undefined {
  const key = plainHexOf(hash)
  const repeated = mapGet(history.repeatedTxs, key)
  if (repeated !== undefined) return repeated.at(-1)
  for (const number of numbersOfHash(history.txByHash, key)) {
    const isHeld = number >= history.firstTx && number < history.txs.length
    if (isHeld && equalBytes(txAt(history, number).hash, hash)) return number
  }
  return undefined
}

/** Returns the history with the hashes of the transactions from number `first` on. */
export function withTxHashes(history: History, txs: readonly TxRecord[], first: number): History {
  const numbers = new Map<string, number>()
  let { repeatedTxs } = history
  for (const [index, { hash }] of txs.entries()) {
    const [key, number] = [plainHexOf(hash), first + index]
    // A damaged file of old blocks must not stop new ones. Look-ups find the last inclusion all the same.
    const before = numbers.get(key) ?? unlessRefused(() => txNumberOf(history, hash))
    if (before !== undefined) {
      repeatedTxs = mapSet(repeatedTxs, key, [...(mapGet(repeatedTxs, key) ?? [before]), number])
    }
    numbers.set(key, number)
  }
  return { ...history, repeatedTxs, txByHash: withHashes(history.txByHash, numbers) }
}

/** Returns the history without the hashes of transactions from number `end` on, given their hashes. */
export function withoutTxHashesFrom(history: History, end: number, hashes: readonly Uint8Array[]): History {
  const keys = hashes.map(plainHexOf)
  let txByHash = truncatedHashes(history.txByHash, end, keys)
  let { repeatedTxs } = history
  for (const key of keys) {
    const left = mapGet(repeatedTxs, key)?.filter((number) => number < end)
    if (left === undefined) continue
    repeatedTxs = withRepeated(repeatedTxs, key, left)
    const last = left.at(-1)
    if (last !== undefined && last >= txByHash.old.end) txByHash = withHash(txByHash, key, last)
  }
  return { ...history, txByHash, repeatedTxs }
}

/** Returns the history without the hash of a transaction that is no longer stored. */
export function withoutTxHash(history: History, number: number, hash: Uint8Array): History {
  const key = plainHexOf(hash)
  const { repeatedTxs, txByHash } = history
  const numbers = mapGet(repeatedTxs, key)
  return {
    ...history,
    // If the bytes were included again, the hash stays mapped to the later transaction.
    txByHash: mapGet(txByHash.newest, key) === number ? withoutHashes(txByHash, [key]) : txByHash,
    repeatedTxs:
      numbers === undefined
        ? repeatedTxs
        : withRepeated(
            repeatedTxs,
            key,
            numbers.filter((one) => one !== number),
          ),
  }
}

function withRepeated(
  map: PersistentMap<readonly number[]>,
  key: string,
  numbers: readonly number[],
): PersistentMap<readonly number[]> {
  return numbers.length < 2 ? mapDelete(map, key) : mapSet(map, key, numbers)
}
