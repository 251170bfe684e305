/**
 * The indexes of a history: what a block and a transaction are filed under, and filing them anew.
 */
import type { AbciEvent } from '../app/abci.ts'
import { plainHexOf } from '../codec/hex.ts'
import { appendNumber, emptyIndex, truncatedIndex, type AppendIndex } from '../data/appendIndex.ts'
import { firstHeld, itemAt } from '../data/segments.ts'
import type { BlockRecord } from './block.ts'
import type { History, IndexedTx } from './history.ts'

/** Returns the index key of a value; without one, of the tag itself. */
export function eventKey(tag: string, value?: string): string {
  return value === undefined ? tag : `${tag}\0${value}`
}

/** Returns the index key of an address (position undefined) or of a topic at its position. */
export function logKey(bytes: Uint8Array, position?: number): string {
  return `${position ?? 'a'}${plainHexOf(bytes)}`
}

/** Returns what makes the keys of a transaction; it holds on to that one, not to its block. */
export function txKeys({ height, hash, result: { events } }: IndexedTx): () => Set<string> {
  return () => eventKeys(
    events, [['tx.height', String(height)], ['tx.hash', plainHexOf(hash).toUpperCase()]]
  )
}

/** Returns what makes the keys of the events of a block; it holds on to them, not to the block. */
export function blockKeys(events: readonly AbciEvent[], height: number): () => Set<string> {
  return () => eventKeys(events, [['block.height', String(height)]])
}

/** Only attributes marked `index` are searchable (`comet-rpc.md` §4.4). */
function eventKeys(
  events: readonly AbciEvent[], own: readonly (readonly [string, string])[],
): Set<string> {
  const keys = new Set(own.flatMap(([tag, value]) => [eventKey(tag), eventKey(tag, value)]))
  for (const { type, attributes } of events) {
    for (const { key, value, index } of attributes) {
      if (!index || type === '' || key === '') continue
      keys.add(eventKey(`${type}.${key}`))
      keys.add(eventKey(`${type}.${key}`, value))
    }
  }
  return keys
}

function logKeys(record: BlockRecord): Set<string> {
  const keys = new Set<string>()
  for (const { receipt } of record.ethereum.transactions) {
    for (const { address, topics } of receipt.logs) {
      keys.add(logKey(address))
      topics.forEach((topic, position) => keys.add(logKey(topic, position)))
    }
  }
  return keys
}

/** Returns the history with nothing filed: how far each index went is all that stays of it. */
export function withoutIndexes(history: History): History {
  const bare = ({ limit }: AppendIndex): AppendIndex => ({ ...emptyIndex(), limit })
  const { txEvents, blockEvents, logs } = history
  return { ...history, txEvents: bare(txEvents), blockEvents: bare(blockEvents), logs: bare(logs) }
}

/**
 * Returns what gives histories their indexes back, filed anew as far as they went. Histories that
 * share what is filed share the index of it.
 */
export function indexer(): (history: History) => History {
  const known = new Map<object, AppendIndex>()
  const upTo = (shared: object, limit: number, filing: Filing): AppendIndex => {
    let index = known.get(shared) ?? emptyIndex()
    for (let at = Math.max(index.limit, filing.from); at < limit; at++) {
      index = filing.file(index, at)
    }
    known.set(shared, index)
    return truncatedIndex(index, limit)
  }
  return (history) => {
    const { txs, events, records, first, base } = history
    const start = Number(first)
    return {
      ...history,
      txEvents: upTo(txs.storage, history.txEvents.limit, {
        from: firstHeld(txs), file: (index, at) => appendNumber(index, at, txKeys(itemAt(txs, at))),
      }),
      blockEvents: upTo(events.storage, history.blockEvents.limit, {
        from: start + firstHeld(events),
        file: (index, at) => appendNumber(index, at, blockKeys(itemAt(events, at - start), at)),
      }),
      logs: upTo(records.storage, history.logs.limit, {
        from: Number(base), file: (index, at) => withLogs(index, itemAt(records, at - start)),
      }),
    }
  }
}

/** Where an index begins, and how the next number is added to it. */
type Filing = {
  readonly from: number
  readonly file: (index: AppendIndex, at: number) => AppendIndex
}

/**
 * Returns the index of logs with a block more; made at once, for it must not hold on to the block.
 */
export function withLogs(index: AppendIndex, record: BlockRecord): AppendIndex {
  const keys = logKeys(record)
  return keys.size === 0
    ? index
    : appendNumber(index, Number(record.block.header.height), () => keys)
}
