/**
 * An append-only list as an immutable value: a length over storage that versions share. Appending
 * to the newest version writes in place, O(1); appending to an older one forks, which copies its
 * last, partial chunk and shares the full ones.
 *
 * A full chunk may be closed: all versions that share it then hold its deflated bytes (RFC 1951), about
 * a third of the plain ones for old blocks. The few closed chunks that were read last stay open beside them.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { assert } from '../errors.ts'
import { type PlainBytes, plainWriter } from './plainBytes.ts'
import { plainValues } from './plainValue.ts'

export type Segments<Item> = {
  readonly length: number
  readonly storage: Storage<Item>
}

/**
 * Shared and written to: whoever's length is `length` is the newest version and may append. The
 * first `gone` chunks were let go of; `chunks` are those after them.
 */
type Storage<Item> = { length: number; readonly gone: number; readonly chunks: Chunk<Item>[] }

type Chunk<Item> = readonly Item[] | Closed

/**
 * The bytes are deflated; `path` are the members that lead from what was written to the items. A
 * chunk that `continues` one is read with the help of the items before it.
 */
type Closed = PlainBytes & { readonly path?: readonly string[]; readonly continues: boolean }

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
  else (last as Item[]).push(item)
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

/**
 * Closes what has at least `newest` items after it, to be called after each append: an item is
 * written then, so that no append costs more than others, and a chunk is bytes when it is through.
 * The list reads as before. `formOf` makes the form of a chunk's items.
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
  // Other lists may still share the chunk.
  written.set(chunk, closed)
}

/**
 * How items are kept, from the first of a chunk on, and which of their objects as they are. The same
 * form serves `chunksMost` chunks in a row, 1 by default: then an item may depend on the one before it.
 */
export type Form<Item> = {
  readonly plain: (item: Item) => Item
  readonly isKept?: (value: object) => boolean
  readonly chunksMost?: number
}

/** What was written of a chunk. Where nothing is known of it, it is written anew. */
type Closing = {
  count: number
  readonly continues: boolean
  readonly write: (item: unknown) => void
  readonly done: () => Closed
}

const closings = new WeakMap<readonly unknown[], Closing>()
const written = new WeakMap<readonly unknown[], Closed>()

/** The form that wrote the chunk before number `next`, and how many chunks in a row it wrote. */
type Run = { readonly form: Form<unknown>; readonly next: number; readonly chunks: number }

const runs = new WeakMap<object, Run>()

/** `formOf` is told the index of the first item. */
function begun<Item>(storage: Storage<Item>, number: number, formOf: (first: number) => Form<Item>): Closing {
  const run = runs.get(storage)
  const continues = run !== undefined && run.next === number && run.chunks < (run.form.chunksMost ?? 1)
  const form = continues ? run.form : ofAny(formOf(number * chunkLength))
  runs.set(storage, { form, next: number + 1, chunks: continues ? run.chunks + 1 : 1 })
  const { add, done } = plainWriter(form.isKept)
  const closed = (): Closed => {
    const { bytes, kept } = done()
    // The low level takes half the time of the default one. zlib's result is part of a larger buffer, so it is copied.
    return { bytes: new Uint8Array(deflateRawSync(bytes, { level: 3 })), kept, continues }
  }
  return { count: 0, continues, write: (item) => add(form.plain(item)), done: closed }
}

/** A storage hands over its own items alone. */
function ofAny<Item>(form: Form<Item>): Form<unknown> {
  return { ...form, plain: (item) => form.plain(item as Item) }
}

/**
 * Does the same for a list whose items stand in those of another list at the same index: the bytes
 * are the other list's, where its chunk is closed.
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
  const chunk = list.storage.chunks[Math.floor(index / chunkLength) - list.storage.gone]
  assert(chunk !== undefined, `no chunk for index ${index}`)
  // The bounds were checked; `!` would hide an undefined that is a legal item.
  return opened(chunk)[index % chunkLength] as Item
}

function isOpen<Item>(chunk: Chunk<Item>): chunk is readonly Item[] {
  return Array.isArray(chunk)
}

// Who reads one old block often reads its neighbours: a chunk takes milliseconds to open.
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

/** Returns the index of the first item that is still held. */
export function firstHeld<Item>({ storage }: Segments<Item>): number {
  return storage.gone * chunkLength
}

/** Yields the items from index `from` up to, not including, `to`; bounds outside are cut. */
export function* items<Item>(list: Segments<Item>, from = 0, to = list.length): Generator<Item> {
  const end = Math.min(to, list.length)
  for (let i = Math.max(from, 0); i < end; i++) yield itemAt(list, i)
}

function itemsOf(closed: Closed): readonly unknown[] {
  const { bytes, kept, path = [] } = closed
  const items = plainValues({ bytes: inflateRawSync(bytes), kept })
  return path.reduce<readonly unknown[]>(
    (inside, name) => inside.map((one) => (one as Readonly<Record<string, unknown>>)[name]),
    items,
  )
}

/**
 * Returns what maps lists item by item, once for all lists that share their storage; each keeps its
 * own length. Closed chunks stay closed: of them, `change` maps the objects that are kept.
 */
export function segmentsMapper<Item extends object>(
  change: <One extends Item | object>(item: One) => One,
): (list: Segments<Item>) => Segments<Item> {
  const known = new Map<Storage<Item>, Storage<Item>>()
  const changed = (chunk: Chunk<Item>): Chunk<Item> =>
    isOpen(chunk) ? chunk.map((item) => change(item)) : { ...chunk, kept: chunk.kept.map((one) => change(one)) }
  return ({ length, storage }) => {
    const mapped = known.get(storage) ?? { ...storage, chunks: storage.chunks.map(changed) }
    known.set(storage, mapped)
    return { length, storage: mapped }
  }
}

/**
 * Returns the list without its first `count` items, whose indexes are not to be asked for again;
 * the others keep theirs. Memory is given back by chunks that no later one continues.
 */
export function withoutFirst<Item>(list: Segments<Item>, count: number): Segments<Item> {
  const { storage } = list
  let gone = Math.floor(Math.min(count, list.length) / chunkLength)
  while (gone > storage.gone && continuesOther(storage.chunks[gone - storage.gone])) gone--
  return gone <= storage.gone ? list : { length: list.length, storage: fork(list, gone) }
}

function continuesOther<Item>(chunk: Chunk<Item> | undefined): boolean {
  if (chunk === undefined) return false
  return isOpen(chunk) ? closings.get(chunk)?.continues === true : chunk.continues
}

function fork<Item>({ length, storage }: Segments<Item>, gone = storage.gone): Storage<Item> {
  const full = Math.floor(length / chunkLength) - storage.gone
  const chunks = storage.chunks.slice(gone - storage.gone, full)
  const partial = storage.chunks[full]
  if (partial !== undefined && length % chunkLength > 0) {
    chunks.push(opened(partial).slice(0, length % chunkLength))
  }
  return { length, gone, chunks }
}
