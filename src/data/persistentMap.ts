/**
 * An immutable map with string keys, sorted by UTF-16 code units (byte order for binary strings). A
 * change returns another map in O(log n); ranges of keys are read in order.
 */
import {
  findNode,
  fromSorted,
  insertEntry,
  iterateNodes,
  type KeyRange,
  removeEntry,
  type SortedTree,
} from './sortedTree.ts'

export type PersistentMap<Value> = { readonly root: SortedTree<string, Value> | undefined }

/** The map without entries. */
export const emptyMap: PersistentMap<never> = { root: undefined }

/** Returns the value of a key, or undefined. */
export function mapGet<Value>(map: PersistentMap<Value>, key: string): Value | undefined {
  return findNode(map.root, key, byText)?.value
}

/** Returns whether the key exists, even if its value is undefined. */
export function mapHas<Value>(map: PersistentMap<Value>, key: string): boolean {
  return findNode(map.root, key, byText) !== undefined
}

/** Returns the map with the entry added or replaced. */
export function mapSet<Value>(map: PersistentMap<Value>, key: string, value: Value): PersistentMap<Value> {
  return { root: insertEntry(map.root, [key, value], byText) }
}

/** Returns the map without the key, or the same map if the key is absent. */
export function mapDelete<Value>(map: PersistentMap<Value>, key: string): PersistentMap<Value> {
  const root = removeEntry(map.root, key, byText)
  return root === map.root ? map : { root }
}

/**
 * Returns the map with several entries added or replaced, or deleted where the value is undefined.
 * A map of which much changes is built anew, which takes less time than one change after the other.
 */
export function mapChanged<Value>(
  map: PersistentMap<Value>,
  changes: ReadonlyMap<string, Value | undefined>,
): PersistentMap<Value> {
  if (changes.size * rebuiltAt < mapSize(map)) {
    let changed = map
    for (const [key, value] of changes) {
      changed = value === undefined ? mapDelete(changed, key) : mapSet(changed, key, value)
    }
    return changed
  }
  const sorted = [...changes].sort(([a], [b]) => byText(a, b))
  const entries: (readonly [string, Value])[] = []
  let next = 0
  // Adds the changes with keys up to that of a node, and returns whether its own is among them.
  const addUpTo = (key: string | undefined): boolean => {
    for (let change = sorted[next]; change !== undefined; change = sorted[next]) {
      const side = key === undefined ? -1 : byText(change[0], key)
      if (side > 0) return false
      const [changed, value] = change
      if (value !== undefined) entries.push([changed, value])
      next += 1
      if (side === 0) return true
    }
    return false
  }
  const merge = (node: PersistentMap<Value>['root']): void => {
    if (node === undefined) return
    merge(node.left)
    if (!addUpTo(node.key)) entries.push([node.key, node.value])
    merge(node.right)
  }
  merge(map.root)
  addUpTo(undefined)
  return { root: fromSorted(entries) }
}

/** One change costs about as much as this many entries of a map that is built anew. */
const rebuiltAt = 8

/** Returns the number of entries. */
export function mapSize<Value>(map: PersistentMap<Value>): number {
  return map.root?.size ?? 0
}

/** Yields the entries with start ≤ key < end in ascending or, with `reverse`, descending order. */
export function* mapEntries<Value>(
  map: PersistentMap<Value>,
  range: KeyRange<string> = {},
): Generator<readonly [key: string, value: Value]> {
  for (const node of iterateNodes(map.root, byText, range)) yield [node.key, node.value]
}

function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
