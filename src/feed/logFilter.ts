/**
 * Matches logs against filters, for queries, polled filters and subscriptions (geth `eth/filters`).
 */
import type { BlockRecord, EthereumLog, EthereumTx } from '../chain/block.ts'
import { equalBytes } from '../data/bytes.ts'
import type { LogFilter } from './subscriptions.ts'

export type WantedPlaces = Pick<LogFilter, 'addresses' | 'topics'>

/** A log with its transaction and block. */
export type PlacedLog = {
  readonly record: BlockRecord
  readonly tx: EthereumTx
  readonly log: EthereumLog
}

/**
 * Returns whether a log matches. A topic position that the log does not have never matches, not
 * even null.
 */
function wantsLog({ addresses, topics }: WantedPlaces, log: EthereumLog): boolean {
  if (topics.length > log.topics.length) return false
  // Compares topics first, because they are more selective than addresses.
  for (let position = 0; position < topics.length; position++) {
    if (!holds(topics[position] ?? [], log.topics[position])) return false
  }
  return holds(addresses, log.address)
}

/** Returns whether `wanted` is empty or contains the bytes. */
function holds(wanted: readonly Uint8Array[], bytes: Uint8Array | undefined): boolean {
  if (wanted.length === 0) return true
  if (bytes === undefined) return false
  // Numbers and addresses differ in their last byte.
  const last = bytes[bytes.length - 1]
  for (const each of wanted) if (each[each.length - 1] === last && equalBytes(each, bytes)) return true
  return false
}

/**
 * Returns the matching logs of a block, in order. With `onlyCommitted`, transactions that could not
 * be committed are not counted in the indexes of those after them.
 */
export function wantedLogs(record: BlockRecord, wanted: WantedPlaces, onlyCommitted = false): readonly PlacedLog[] {
  const found: PlacedLog[] = []
  // Most logs of a block differ from what is wanted in the last byte of one topic.
  const position = wanted.topics.findIndex(({ length }) => length === 1)
  const last = wanted.topics[position]?.[0]?.[31]
  let missing = 0
  for (const mined of record.ethereum.transactions) {
    if (onlyCommitted && mined.receipt.isMissing === true) missing += 1
    const tx = missing === 0 ? mined : { ...mined, index: mined.index - missing }
    for (const log of tx.receipt.logs) {
      if (last !== undefined && log.topics[position]?.[31] !== last) continue
      if (wantsLog(wanted, log)) found.push({ record, tx, log })
    }
  }
  return found
}
