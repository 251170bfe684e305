/**
 * Moves the index entries of old blocks and transactions to sorted runs. The entries of a chunk of
 * blocks move just before the chunk closes, so that none is opened for them.
 */
import { plainHexOf } from '../codec/hex.ts'
import { withOld } from '../data/appendIndex.ts'
import { withOldHashes } from '../data/hashIndex.ts'
import { closedLength, itemAt } from '../data/segments.ts'
import { numbersIn } from '../data/sortedRuns.ts'
import type { BlockRecord } from './block.ts'
import {
  blockEventsUpTo,
  blockHashes,
  blockKeys,
  ethereumNumber,
  ethereumPlaces,
  eventKeysOnce,
  type History,
  logKeys,
  logsUpTo,
  txAt,
  txKeys,
  txEventsUpTo,
} from './indexing.ts'

/** With this, the largest runs have 4,096 blocks, whose merge takes about a tenth of a second. */
const levelMost = 1

/** `open`: how many of the newest blocks and transactions keep their entries in memory, at least. */
type Options = { readonly open: number; readonly isIndexed: boolean }

/** Returns the history with the entries of old blocks in runs. */
export function withOldBlocks(history: History, { open, isIndexed }: Options): History {
  const { first, base, records, events, blockByHash, ethTxByHash, blockEvents, logs } = history
  const start = Number(first)
  const to = start + closedLength(records, open)
  if (to <= Math.max(start, logs.old.end)) return history
  const recordOf = (height: number) => itemAt(records, height - start)
  const heights = numbersIn({ from: Math.max(logs.old.end, Number(base)), to })
  const old = heights.map(recordOf)
  const oldLogs = withOld(logs, heights, { to, levelMost, keys: (height) => logKeys(recordOf(height)) })
  const oldEvents = withOld(blockEvents, isIndexed ? heights : [], {
    ...{ to, levelMost },
    keys: (height) => blockKeys(itemAt(events, height - start), height),
  })
  return {
    ...history,
    blockByHash: withOldHashes(blockByHash, to, old.flatMap(heightsOfHashes)),
    ethTxByHash: withOldHashes(ethTxByHash, ethereumNumber(BigInt(to), 0), old.flatMap(ethereumPlaces)),
    logs: logsUpTo(history, oldLogs, logs.limit),
    blockEvents: blockEventsUpTo(history, oldEvents, blockEvents.limit),
  }
}

/** The entries of so many transactions move with one block: those of a large block take several blocks. */
const txsAtOnce = 512

/** With many waiting, this part of them moves, so that a chain of large blocks has no more than eight waiting. */
const partAtOnce = 8

/** Returns the history with the entries of old transactions in runs. */
export function withOldTxs(history: History, { open, isIndexed }: Options): History {
  const { txs, firstTx, txByHash, txEvents } = history
  const { end } = txByHash.old
  const most = Math.max(txsAtOnce, Math.ceil((txs.length - end) / partAtOnce))
  const to = closedLength({ length: Math.min(txs.length, end + most + open) }, open)
  if (to <= end) return history
  const numbers = numbersIn({ from: Math.max(end, firstTx), to })
  const hashes = numbers.map((number) => [plainHexOf(txAt(history, number).hash), number] as const)
  const keyOf = eventKeysOnce()
  const oldEvents = withOld(txEvents, isIndexed ? numbers : [], {
    ...{ to, levelMost },
    keys: (number) => txKeys(txAt(history, number), keyOf),
  })
  return {
    ...history,
    txByHash: withOldHashes(txByHash, to, hashes),
    txEvents: txEventsUpTo(history, oldEvents, txEvents.limit),
  }
}

function heightsOfHashes(record: BlockRecord): readonly (readonly [hash: string, height: number])[] {
  return blockHashes(record).map((hash) => [hash, Number(record.block.header.height)])
}
