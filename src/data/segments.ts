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

/** Shared and written to: whoever's length is `length` is the newest version and may append. */
type Storage<Item> = { length: number; readonly chunks: Item[][] }

const chunkLength = 512

/** Returns a list without items. */
export function emptySegments<Item>(): Segments<Item> {
  return { length: 0, storage: { length: 0, chunks: [] } }
}

/** Returns the list with the item at its end. */
export function append<Item>(list: Segments<Item>, item: Item): Segments<Item> {
  const storage = list.length === list.storage.length ? list.storage : fork(list)
  const last = storage.chunks[Math.floor(storage.length / chunkLength)]
  if (last === undefined) storage.chunks.push([item])
  else last.push(item)
  storage.length++
  return { length: storage.length, storage }
}

/** Returns the list of the first `length` items; it shares its storage until something is appended. */
export function truncated<Item>(list: Segments<Item>, length: number): Segments<Item> {
  assert(length >= 0 && length <= list.length, `${length} items of a list of ${list.length}`)
  return { ...list, length }
}

/** Returns the item at an index; throws `AssertionFailed` outside 0…length−1. */
export function itemAt<Item>(list: Segments<Item>, index: number): Item {
  assert(index >= 0 && index < list.length, `index ${index} of a list of ${list.length}`)
  const chunk = list.storage.chunks[Math.floor(index / chunkLength)]
  assert(chunk !== undefined, `no chunk for index ${index}`)
  // The bounds were checked; `!` would hide an undefined that is a legal item.
  return chunk[index % chunkLength] as Item
}

/** Yields the items from index `from` up to, not including, `to`; bounds outside are cut. */
export function* items<Item>(list: Segments<Item>, from = 0, to = list.length): Generator<Item> {
  const end = Math.min(to, list.length)
  for (let i = Math.max(from, 0); i < end; i++) yield itemAt(list, i)
}

function fork<Item>({ length, storage }: Segments<Item>): Storage<Item> {
  const full = Math.floor(length / chunkLength)
  const chunks = storage.chunks.slice(0, full)
  const partial = storage.chunks[full]?.slice(0, length % chunkLength)
  if (partial !== undefined && partial.length > 0) chunks.push(partial)
  return { length, chunks }
}
