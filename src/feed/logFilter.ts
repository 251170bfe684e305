/**
 * Which logs a filter wants, for queries, polled filters and subscriptions (geth `eth/filters`).
 */
import type { BlockRecord, EthereumLog, EthereumTx } from '../chain/block.ts'
import { equalBytes } from '../data/bytes.ts'
import type { LogFilter } from './subscriptions.ts'

export type Wanted = Pick<LogFilter, 'addresses' | 'topics'>

/** A log in its place. */
export type PlacedLog = {
  readonly record: BlockRecord
  readonly tx: EthereumTx
  readonly log: EthereumLog
}

/** Returns whether a log is wanted; a position beyond its topics matches nothing, not even null. */
function wantsLog({ addresses, topics }: Wanted, log: EthereumLog): boolean {
  if (addresses.length > 0 && !addresses.some((each) => equalBytes(each, log.address))) return false
  if (topics.length > log.topics.length) return false
  return topics.every((wanted, position) => {
    const topic = log.topics[position]
    return wanted.length === 0 || (
      topic !== undefined && wanted.some((each) => equalBytes(each, topic))
    )
  })
}

/** Returns the wanted logs of a block in their order. */
export function wantedLogs(record: BlockRecord, wanted: Wanted): readonly PlacedLog[] {
  return record.ethereum.transactions.flatMap((tx) =>
    tx.receipt.logs.filter((log) => wantsLog(wanted, log)).map((log) => ({ record, tx, log })))
}
