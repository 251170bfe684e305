/**
 * An immutable map of limited size whose entries are in the order of their last change, the oldest first.
 * A change returns another map in O(log n), so each of many requests may change one.
 */
import { emptyMap, mapDelete, mapGet, mapSet, type PersistentMap } from './persistentMap.ts'
import { firstNode, insertEntry, iterateNodes, removeEntry, type SortedTree } from './sortedTree.ts'

type Numbered<Value> = { readonly value: Value; readonly number: number }

export type RecentEntries<Value> = {
  readonly size: number
  readonly byKey: PersistentMap<Numbered<Value>>
  /** The keys by the number of their last change. */
  readonly byNumber: SortedTree<number, string> | undefined
  /** The number of the next change. */
  readonly next: number
}

/** The map without entries. */
export const noEntries: RecentEntries<never> = { size: 0, byKey: emptyMap, byNumber: undefined, next: 0 }

/** Returns the value of a key, or undefined. */
export function recentValue<Value>({ byKey }: RecentEntries<Value>, key: string): Value | undefined {
  return mapGet(byKey, key)?.value
}

/** Returns the map with an entry as its newest. If it has more than `most` then, the oldest is removed. */
export function withRecent<Value>(
  entries: RecentEntries<Value>,
  [key, value]: readonly [string, Value],
  most: number,
): RecentEntries<Value> {
  const { size, byKey, byNumber, next } = withoutEntry(entries, key)
  const grown = {
    size: size + 1,
    byKey: mapSet(byKey, key, { value, number: next }),
    byNumber: insertEntry(byNumber, [next, key], ascending),
    next: next + 1,
  }
  return grown.size > most ? withoutEntry(grown, firstNode(grown.byNumber).value) : grown
}

/** Returns the map without a key, or the same map if the key is absent. */
export function withoutEntry<Value>(entries: RecentEntries<Value>, key: string): RecentEntries<Value> {
  const { size, byKey, byNumber, next } = entries
  const known = mapGet(byKey, key)
  if (known === undefined) return entries
  return {
    size: size - 1,
    byKey: mapDelete(byKey, key),
    byNumber: removeEntry(byNumber, known.number, ascending),
    next,
  }
}

/** Yields the entries, the oldest first. */
export function* recentEntries<Value>(entries: RecentEntries<Value>): Generator<readonly [key: string, value: Value]> {
  for (const { value: key } of iterateNodes(entries.byNumber, ascending)) {
    const known = mapGet(entries.byKey, key)
    if (known !== undefined) yield [key, known.value]
  }
}

function ascending(a: number, b: number): number {
  return a - b
}
