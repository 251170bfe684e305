/** Logs of the whole chain or of one contract, newest first, in pages. */
import { logKey, type History } from '../../chain/indexing.ts'
import { recordAt } from '../../chain/history.ts'
import { checksumAddress, hexOf } from '../../codec/hex.ts'
import { equalBytes } from '../../data/bytes.ts'
import { keccak256 } from '../../crypto/hash.ts'
import type { BlockRecord } from '../../chain/block.ts'
import { newestNumbers } from './addresses.ts'
import type { KnownAbis } from './abis.ts'
import { decodeLog } from './decodeLog.ts'
import type { Instance } from '../ports.ts'

/** Maximum number of blocks that one page searches when no contract is given. */
const blocksMost = 2000

export type LogQuery = {
  /** Returns only logs of blocks below this height. */
  readonly before: number
  readonly limit: number
  readonly address: Uint8Array | undefined
}

/**
 * Returns the logs of whole blocks until there are at least `limit`. `next` is the `before` of the
 * next page; null after the last page.
 */
export function logsView({ simulation }: Instance, query: LogQuery, known: KnownAbis) {
  const { history } = simulation().node.chain
  const rows: ReturnType<typeof logsOf>[number][] = []
  let last = query.before
  for (const height of heightsOf(history, query)) {
    const record = recordAt(history, BigInt(height))
    last = height
    if (record !== undefined) rows.push(...logsOf(record, query.address, known))
    if (rows.length >= query.limit) break
  }
  return { rows, next: last > Number(history.base) && last < query.before ? last : null }
}

function* heightsOf(history: History, { before, limit, address }: LogQuery): Generator<number> {
  const top = Math.min(before, Number(history.first) + history.records.length)
  if (address !== undefined) {
    yield* newestNumbers(history.logs, [logKey(address)], { before: top, limit, first: Number(history.base) })
    return
  }
  for (let height = top - 1; height >= Number(history.base) && height >= top - blocksMost; height--) yield height
}

function logsOf(record: BlockRecord, address: Uint8Array | undefined, known: KnownAbis) {
  return record.ethereum.transactions.toReversed().flatMap(({ hash, receipt }) =>
    receipt.logs
      .filter((log) => address === undefined || equalBytes(log.address, address))
      .toReversed()
      .map((log) => ({
        height: Number(record.block.header.height),
        index: log.index,
        transaction: hexOf(hash),
        address: checksumAddress(log.address, keccak256),
        decoded: decodeLog(log, known.events) ?? null,
        topics: log.topics.map(hexOf),
        data: hexOf(log.data),
      })),
  )
}
