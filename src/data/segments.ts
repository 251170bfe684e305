/**
 * An append-only list as an immutable value: a length over storage that versions share. Appending
 * to the newest version writes in place, O(1); appending to an older one forks, which copies its
 * last, partial chunk and shares the full ones.
 */
import { assert } from '../errors.ts'

export type Segments<Item> = {
  readonly length: number
  readonly storage: Storage<Item>
}

/**
 * Shared and written to: whoever's length is `length` is the newest version and may append. The
 * first `gone` chunks were let go of; `chunks` are those after them.
 */
type Storage<Item> = { length: number; readonly gone: number; readonly chunks: Item[][] }

const chunkLength = 128

/** Returns a list without items. */
export function emptySegments<Item>(): Segments<Item> {
  return { length: 0, storage: { length: 0, gone: 0, chunks: [] } }
}

/** Returns the list with the item at its end. */
export function append<Item>(list: Segments<Item>, item: Item): Segments<Item> {
  // An empty list is kept by those who start over: it must not hold on to what others append.
  const isNewest = list.length > 0 && list.length === list.storage.length
  const storage = isNewest ? list.storage : fork(list)
  const last = storage.chunks[Math.floor(storage.length / chunkLength) - storage.gone]
  if (last === undefined) storage.chunks.push([item])
  else last.push(item)
  storage.length++
  return { length: storage.length, storage }
}

/**
 * Returns the list of the first `length` items; it shares its storage until something is appended.
 */
export function truncated<Item>(list: Segments<Item>, length: number): Segments<Item> {
  assert(length >= 0 && length <= list.length, `${length} items of a list of ${list.length}`)
  return { ...list, length }
}

/** Returns the item at an index; throws `AssertionFailed` outside 0…length−1. */
export function itemAt<Item>(list: Segments<Item>, index: number): Item {
  assert(index >= 0 && index < list.length, `index ${index} of a list of ${list.length}`)
  const chunk = list.storage.chunks[Math.floor(index / chunkLength) - list.storage.gone]
  assert(chunk !== undefined, `no chunk for index ${index}`)
  // The bounds were checked; `!` would hide an undefined that is a legal item.
  return chunk[index % chunkLength] as Item
}

/** Returns the index of the first item that is still held. */
export function firstHeld<Item>({ storage }: Segments<Item>): number {
  return storage.gone * chunkLength
}

/** Yields the items from index `from` up to, not including, `to`; bounds outside are cut. */
export function* items<Item>(list: Segments<Item>, from = 0, to = list.length): Generator<Item> {
  const end = Math.min(to, list.length)
  for (let i = Math.max(from, 0); i < end; i++) yield itemAt(list, i)
}

/**
 * Returns what maps lists item by item, once for all lists that share their storage; each keeps its
 * own length.
 */
export function segmentsMapper<Item>(
  change: (item: Item) => Item,
): (list: Segments<Item>) => Segments<Item> {
  const known = new Map<Storage<Item>, Storage<Item>>()
  return ({ length, storage }) => {
    const mapped = known.get(storage)
      ?? { ...storage, chunks: storage.chunks.map((chunk) => chunk.map(change)) }
    known.set(storage, mapped)
    return { length, storage: mapped }
  }
}

/**
 * Returns the list without its first `count` items, whose indexes are not to be asked for again;
 * the others keep theirs. Memory is given back a chunk at a time.
 */
export function withoutFirst<Item>(list: Segments<Item>, count: number): Segments<Item> {
  const gone = Math.floor(Math.min(count, list.length) / chunkLength)
  return gone <= list.storage.gone ? list : { length: list.length, storage: fork(list, gone) }
}

function fork<Item>({ length, storage }: Segments<Item>, gone = storage.gone): Storage<Item> {
  const full = Math.floor(length / chunkLength) - storage.gone
  const chunks = storage.chunks.slice(gone - storage.gone, full)
  const partial = storage.chunks[full]?.slice(0, length % chunkLength)
  if (partial !== undefined && partial.length > 0) chunks.push(partial)
  return { length, gone, chunks }
}
