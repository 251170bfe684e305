/**
 * An append-only list as an immutable value: a length over storage that versions share. Appending
 * to the newest version writes in place, O(1). Appending to an older one forks: it copies the last,
 * partial chunk and shares the full ones.
 *
 * A full chunk may be closed: all versions that share it then hold its deflated bytes (RFC 1951).
 * For old blocks these are about a third of the plain bytes. The bytes may leave memory: whoever
 * stores them replaces them with a reference (`HeldBytes`). The most recently read closed chunks stay
 * cached as objects.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { assert } from '../errors.ts'
import { plainWriter } from './plainBytes.ts'
import { plainValues } from './plainValue.ts'

export type Segments<Item> = {
  readonly length: number
  readonly storage: Storage<Item>
}

/**
 * Shared and mutable: the version whose length equals `length` is the newest and may append, unless the
 * storage is sealed. The first `gone` chunks were dropped; `chunks` holds those after them.
 */
export type Storage<Item> = { length: number; isSealed?: true; readonly gone: number; readonly chunks: Chunk<Item>[] }

/** Items, or their bytes. */
export type Chunk<Item> = readonly Item[] | Closed

/**
 * The deflated bytes of a chunk, or a reference to them. All chunks with these bytes share this
 * object, so replacing the bytes by an equal reference removes them from memory.
 */
export type HeldBytes = { bytes: Uint8Array | StoredBytes }

/**
 * Bytes outside memory. `load` returns them, and `part` some of them, whose CRC-32 is `sum`. Both
 * throw if they cannot be read or are damaged.
 */
export type StoredBytes = {
  readonly load: () => Uint8Array
  readonly part: (part: { readonly at: number; readonly length: number; readonly sum: number }) => Uint8Array
}

/**
 * A closed chunk. `kept` holds the objects that were not serialized. `path` names the members that
 * lead from the written values to the items. If `continues` is set, reading the chunk needs the
 * items of the chunk before it.
 */
type Closed = {
  readonly held: HeldBytes
  readonly kept: readonly object[]
  readonly path?: readonly string[]
  readonly continues: boolean
}

/** Items of a chunk. */
export const chunkLength = 128

/** Returns an empty list. */
export function emptySegments<Item>(): Segments<Item> {
  return { length: 0, storage: { length: 0, gone: 0, chunks: [] } }
}

/** Returns the list with an item appended. */
export function append<Item>(list: Segments<Item>, item: Item): Segments<Item> {
  // An empty list always forks: several callers may start from it, and it must not retain their
  // items.
  const isNewest = list.length > 0 && list.length === list.storage.length
  const storage = isNewest && list.storage.isSealed === undefined ? list.storage : fork(list)
  if (isNewest && storage !== list.storage) passRun(list.storage, storage)
  const last = storage.chunks[Math.floor(storage.length / chunkLength) - storage.gone]
  if (last === undefined) storage.chunks.push([item])
  else (last as Item[]).push(item)
  storage.length++
  return { length: storage.length, storage }
}

/**
 * Makes later appends to a list fork. Whoever keeps the list beside a chain that goes on then does not keep what is
 * appended to it.
 */
export function seal({ storage }: Segments<unknown>): void {
  storage.isSealed = true
}

/** Returns the first `length` items of a list, which share its storage until the next append. */
export function truncated<Item>(list: Segments<Item>, length: number): Segments<Item> {
  assert(length >= 0 && length <= list.length, `${length} items of a list of ${list.length}`)
  return { ...list, length }
}

/** Returns how many of the first items are in chunks that `closeBefore` closes. */
export function closedLength({ length }: { readonly length: number }, newest: number): number {
  return Math.max(0, Math.floor((length - newest) / chunkLength) * chunkLength)
}

/**
 * Closes chunks whose items all have at least `newest` items after them; call it after each append.
 * Each call writes one item, so all appends cost the same, and a chunk's bytes are ready with its
 * last item. The list's contents do not change. `formOf` returns the form for the chunk that starts
 * at a given index.
 */
export function closeBefore<Item>(
  { length, storage }: Segments<Item>,
  newest: number,
  formOf: (first: number) => Form<Item> = () => ({ plain: (item) => item }),
): void {
  const last = length - newest - 1
  const index = Math.floor(last / chunkLength) - storage.gone
  const chunk = storage.chunks[index]
  if (chunk === undefined || !isOpen(chunk)) return
  const most = last % chunkLength
  const done = written.get(chunk)
  if (done !== undefined) {
    if (most === chunkLength - 1) storage.chunks[index] = done
    return
  }
  const closing = closings.get(chunk) ?? begun(storage, index + storage.gone, formOf)
  closings.set(chunk, closing)
  for (; closing.count <= most; closing.count++) closing.write(chunk[closing.count])
  if (most < chunkLength - 1) return
  const closed = closing.done()
  storage.chunks[index] = closed
  closings.delete(chunk)
  // Other lists may share the chunk.
  written.set(chunk, closed)
}

/**
 * How the items of a chunk are stored: `plain` converts an item, and objects for which `isKept`
 * returns true are not serialized. One form serves `chunksMost` consecutive chunks, 1 by default;
 * within these, an item may depend on the previous one.
 */
export type Form<Item> = {
  readonly plain: (item: Item) => Item
  readonly isKept?: (value: object) => boolean
  readonly chunksMost?: number
}

/** A partly written chunk. If its entry is lost, the chunk is written again from its start. */
type Closing = {
  count: number
  readonly continues: boolean
  readonly write: (item: unknown) => void
  readonly done: () => Closed
}

const closings = new WeakMap<readonly unknown[], Closing>()
const written = new WeakMap<readonly unknown[], Closed>()

/**
 * The form that wrote the chunk before number `next`, and the number of consecutive chunks it
 * wrote.
 */
type Run = { readonly form: Form<unknown>; readonly next: number; readonly chunks: number }

const runs = new WeakMap<object, Run>()

/** Moves the run of a sealed storage to the one that goes on: a form knows what it wrote last, so it serves one. */
function passRun(from: object, to: object): void {
  const run = runs.get(from)
  if (run !== undefined) runs.set(to, run)
  runs.delete(from)
}

/** Starts to close a chunk; `formOf` receives the index of its first item. */
function begun<Item>(storage: Storage<Item>, number: number, formOf: (first: number) => Form<Item>): Closing {
  const run = runs.get(storage)
  const continues = run !== undefined && run.next === number && run.chunks < (run.form.chunksMost ?? 1)
  const form = continues ? run.form : ofAny(formOf(number * chunkLength))
  runs.set(storage, { form, next: number + 1, chunks: continues ? run.chunks + 1 : 1 })
  const { add, done } = plainWriter(form.isKept)
  const closed = (): Closed => {
    const { bytes, kept } = done()
    // Level 3 takes half the time of the default. zlib returns part of a larger buffer, so the
    // result is copied.
    return { held: { bytes: new Uint8Array(deflateRawSync(bytes, { level: 3 })) }, kept, continues }
  }
  return { count: 0, continues, write: (item) => add(form.plain(item)), done: closed }
}

/** Widens a form's item type: a storage passes only its own items. */
function ofAny<Item>(form: Form<Item>): Form<unknown> {
  return { ...form, plain: (item) => form.plain(item as Item) }
}

/**
 * Closes the chunks of a list whose items are members of another list's items at the same index. If
 * the other list's chunk is closed, this list shares its bytes.
 */
export function closeInside<Item, Whole>(
  list: Segments<Item>,
  newest: number,
  { whole, path }: { readonly whole: Segments<Whole>; readonly path: readonly string[] },
): void {
  const { length, storage } = list
  const index = Math.floor((length - newest) / chunkLength) - 1
  const chunk = storage.chunks[index - storage.gone]
  const around = whole.storage.chunks[index - whole.storage.gone]
  if (chunk === undefined || !isOpen(chunk)) return
  if (around !== undefined && !isOpen(around)) storage.chunks[index - storage.gone] = { ...around, path }
}

/** Returns the item at an index; throws `AssertionFailed` outside 0…length−1. */
export function itemAt<Item>(list: Segments<Item>, index: number): Item {
  assert(index >= 0 && index < list.length, `index ${index} of a list of ${list.length}`)
  // The bounds were checked; `!` would reject an undefined item, which is valid.
  return opened(chunkAt(list, index))[index % chunkLength] as Item
}

/**
 * Returns the chunk with the item at an index; its identity stays the same once it is closed. Throws
 * `AssertionFailed` if there is none.
 */
export function chunkAt<Item>({ storage }: Segments<Item>, index: number): Chunk<Item> {
  const chunk = storage.chunks[Math.floor(index / chunkLength) - storage.gone]
  assert(chunk !== undefined, `no chunk for index ${index}`)
  return chunk
}

/** Returns whether the items of a chunk are objects in memory. */
export function isOpen<Item>(chunk: Chunk<Item>): chunk is readonly Item[] {
  return Array.isArray(chunk)
}

// Reads of old blocks tend to be close together, and opening a chunk takes milliseconds.
const openedMost = 8
const recentlyOpened: { readonly closed: Closed; readonly items: readonly unknown[] }[] = []

function opened<Item>(chunk: Chunk<Item>): readonly Item[] {
  if (isOpen(chunk)) return chunk
  const place = recentlyOpened.findIndex(({ closed }) => closed === chunk)
  const found = place < 0 ? { closed: chunk, items: itemsOf(chunk) } : recentlyOpened.splice(place, 1)[0]
  assert(found !== undefined, 'what was found is there')
  recentlyOpened.push(found)
  if (recentlyOpened.length > openedMost) recentlyOpened.shift()
  return found.items as readonly Item[]
}

/** Returns the index of the first stored item. */
export function firstHeld<Item>({ storage }: Segments<Item>): number {
  return storage.gone * chunkLength
}

/** Yields the items from index `from` to `to` (exclusive); bounds outside the list are clamped. */
export function* items<Item>(list: Segments<Item>, from = 0, to = list.length): Generator<Item> {
  const end = Math.min(to, list.length)
  for (let i = Math.max(from, 0); i < end; ) {
    const chunk = opened(chunkAt(list, i))
    const last = Math.min(end, i - (i % chunkLength) + chunkLength)
    for (; i < last; i++) yield chunk[i % chunkLength] as Item
  }
}

function itemsOf(closed: Closed): readonly unknown[] {
  const { held, kept, path = [] } = closed
  const items = plainValues({ bytes: inflateRawSync(loaded(held.bytes)), kept })
  return path.reduce<readonly unknown[]>(
    (inside, name) => inside.map((one) => (one as Readonly<Record<string, unknown>>)[name]),
    items,
  )
}

/** Returns the bytes of a chunk, wherever they are. Throws if they cannot be read. */
export function loaded(bytes: HeldBytes['bytes']): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.load()
}

/**
 * Returns the list without its first `count` items, which may no longer be read; the other items
 * keep their indexes. Memory is freed in whole chunks; a chunk that a later one continues is kept.
 */
export function withoutFirst<Item>(list: Segments<Item>, count: number): Segments<Item> {
  const { storage } = list
  let gone = Math.floor(Math.min(count, list.length) / chunkLength)
  while (gone > storage.gone && continuesOther(storage.chunks[gone - storage.gone])) gone--
  return gone <= storage.gone ? list : { length: list.length, storage: fork(list, gone) }
}

function continuesOther<Item>(chunk: Chunk<Item> | undefined): boolean {
  if (chunk === undefined) return false
  return isOpen(chunk) ? continuing.has(chunk) || closings.get(chunk)?.continues === true : chunk.continues
}

/** Copies of parts of chunks that continue the one before them. */
const continuing = new WeakSet<readonly unknown[]>()

function fork<Item>({ length, storage }: Segments<Item>, gone = storage.gone): Storage<Item> {
  const full = Math.floor(length / chunkLength) - storage.gone
  const chunks = storage.chunks.slice(gone - storage.gone, full)
  const partial = storage.chunks[full]
  if (partial !== undefined && length % chunkLength > 0) {
    const copy = opened(partial).slice(0, length % chunkLength)
    if (continuesOther(partial)) continuing.add(copy)
    chunks.push(copy)
  }
  return { length, gone, chunks }
}
