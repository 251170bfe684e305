/** Paging through a store, as every list of the query services does it (cosmos-sdk types/query). */
import { concatBytes } from '../../../data/bytes.ts'
import { bool, bytes, message, nested, repeated, uint64 } from '../../../codec/protobuf/message.ts'
import type { Context } from '../context.ts'
import { rangeOf } from '../storeKeys.ts'
import type { StoreName } from '../storeNames.ts'
import { statusError } from './status.ts'

export type PageRequest = {
  key: Uint8Array
  offset: bigint
  limit: bigint
  countTotal: boolean
  reverse: boolean
}
export type PageResponse = { nextKey: Uint8Array; total: bigint }
export type Listed = { items: readonly Uint8Array[]; page: PageResponse | undefined }
type Entry = readonly [key: Uint8Array, value: Uint8Array]

export const pageRequest = message<PageRequest>({
  1: ['key', bytes],
  2: ['offset', uint64],
  3: ['limit', uint64],
  4: ['countTotal', bool],
  5: ['reverse', bool],
})
export const pageResponse = message<PageResponse>({ 1: ['nextKey', bytes], 2: ['total', uint64] })

/** A list's answer: the items' own bytes in field 1, the page in field 2. */
export const listed = message<Listed>({
  1: ['items', repeated(bytes)],
  2: ['page', nested(pageResponse)],
})

const defaultLimit = 100n
const none = new Uint8Array(0)

/** Where a list stands, and which part of it is wanted. */
export type Place = {
  readonly store: StoreName
  readonly prefix: Uint8Array
  readonly page: PageRequest | undefined
  /**
   * Whether the node lists it with `CollectionFilteredPaginate`: an offset then counts entries
   * instead of hits, one beyond the end gives an empty page, and the next page begins at the entry
   * after the last hit.
   */
  readonly isCollection?: boolean
}

export type Page<Item> = { readonly items: readonly Item[]; readonly page: PageResponse }

/** Returns the page of entries under a prefix as they stand there, or as `pick` changes them. */
export function pageOf(
  context: Context,
  at: Place,
  pick: (entry: Entry) => Uint8Array | undefined = ([, value]) => value,
): Listed {
  return pageOfItems(context, at, pick)
}

/**
 * Returns the page of entries under a prefix that `pick` makes into items; what it gives undefined
 * for is not counted. It reads no further than the node does, so that its gas is the node's. Throws
 * when both a key and an offset are asked for.
 */
export function pageOfItems<Item>(
  context: Context,
  { store, prefix, page, isCollection = false }: Place,
  pick: (entry: Entry) => Item | undefined,
): Page<Item> {
  const from = page ?? pageRequest.decode(none)
  if (from.offset > 0n && from.key.length > 0) {
    throw statusError('Internal', 'invalid request, either offset or key is expected, got both')
  }
  const entries = context.store(store).iterate(rangeFrom(prefix, from))
  const isFromKey = from.key.length > 0
  if (isFromKey && from.reverse && !isCollection) findEnd(context, { store, prefix }, from)
  const walk = { prefix, from, pick }
  if (isCollection) return isFromKey ? hitsFromKey(entries, walk) : hitsFrom(entries, walk)
  return isFromKey ? pageFromKey(entries, walk) : pageFromOffset(entries, walk)
}

type Walk<Item> = {
  readonly prefix: Uint8Array
  readonly from: PageRequest
  readonly pick: (entry: Entry) => Item | undefined
}

function rangeFrom(prefix: Uint8Array, { key, reverse }: PageRequest) {
  const all = { ...rangeOf(prefix), reverse }
  if (key.length === 0) return all
  const at = concatBytes([prefix, key])
  return reverse ? { ...all, end: concatBytes([at, Uint8Array.of(0)]) } : { ...all, start: at }
}

/** Backwards from a key the node first looks for the entry after it, which costs gas. */
function findEnd(context: Context, { store, prefix }: Pick<Place, 'store' | 'prefix'>, { key }: PageRequest): void {
  const range = { ...rangeOf(prefix), start: concatBytes([prefix, key]) }
  const entries = context.store(store).iterate(range)[Symbol.iterator]()
  if (entries.next().done !== true) entries.next()
}

function limitOf({ limit }: PageRequest): bigint {
  return limit === 0n ? defaultLimit : limit
}

/** Without a limit the first hundred come, and the count is given unasked. */
function isCounting({ countTotal, limit }: PageRequest): boolean {
  return countTotal || limit === 0n
}

function pageFromKey<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): Page<Item> {
  const items: Item[] = []
  for (const [key, value] of entries) {
    const rest = key.slice(prefix.length)
    if (BigInt(items.length) === limitOf(from)) return { items, page: { nextKey: rest, total: 0n } }
    const item = pick([rest, value])
    if (item !== undefined) items.push(item)
  }
  return { items, page: { nextKey: none, total: 0n } }
}

function pageFromOffset<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): Page<Item> {
  const last = from.offset + limitOf(from)
  const items: Item[] = []
  let nextKey = none
  let total = 0n
  for (const [key, value] of entries) {
    const rest = key.slice(prefix.length)
    const item = pick([rest, value])
    if (item === undefined) continue
    total += 1n
    if (total > from.offset && total <= last) items.push(item)
    if (total === last + 1n) {
      nextKey = rest
      if (!isCounting(from)) break
    }
  }
  return { items, page: { nextKey, total: isCounting(from) ? total : 0n } }
}

function hitsFromKey<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): Page<Item> {
  const items: Item[] = []
  for (const [key, value] of entries) {
    const rest = key.slice(prefix.length)
    const item = pick([rest, value])
    if (item === undefined) continue
    if (BigInt(items.length) === limitOf(from)) return { items, page: { nextKey: rest, total: 0n } }
    items.push(item)
  }
  return { items, page: { nextKey: none, total: 0n } }
}

function hitsFrom<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): Page<Item> {
  const items: Item[] = []
  let [seen, hits] = [0n, 0n]
  let nextKey = none
  for (const [key, value] of entries) {
    seen += 1n
    if (seen <= from.offset) continue
    const rest = key.slice(prefix.length)
    if (hits === limitOf(from)) {
      nextKey = rest
      if (!isCounting(from)) break
    }
    const item = pick([rest, value])
    if (item === undefined) continue
    hits += 1n
    if (hits <= limitOf(from)) items.push(item)
  }
  const total = isCounting(from) && seen >= from.offset ? hits + from.offset : 0n
  return { items, page: { nextKey, total } }
}
