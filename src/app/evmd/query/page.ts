/** Pagination of a store, as in every list of the query services (cosmos-sdk types/query). */
import { GoPanic } from '../../../codec/comet.ts'
import { concatBytes } from '../../../data/bytes.ts'
import { bool, bytes, message, nested, repeated, uint64 } from '../../../codec/protobuf/message.ts'
import type { Context } from '../context.ts'
import { prefixRange } from '../storeKeys.ts'
import type { StoreName } from '../storeNames.ts'
import { PlainQueryError, statusError } from './status.ts'

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

/** The response of a list: the items' bytes in field 1, the page in field 2. */
export const listed = message<Listed>({
  1: ['items', repeated(bytes)],
  2: ['page', nested(pageResponse)],
})

const defaultLimit = 100n
const none = new Uint8Array(0)

/** The location of a list, and the requested page of it. */
export type StorePlace = {
  readonly store: StoreName
  readonly prefix: Uint8Array
  readonly page: PageRequest | undefined
  /**
   * Whether the node lists it with `CollectionFilteredPaginate`. An offset then counts entries
   * instead of matches, and one beyond the end returns an empty page. The next page begins at the
   * entry after the last match.
   */
  readonly isCollection?: boolean
  /** Returns the error for a request with both a key and an offset. Most handlers answer `Internal`. */
  readonly refuses?: (text: string) => Error
}

/** The handlers of the node that pass this error on as it is. */
export const plainly = (text: string): Error => new PlainQueryError(text)

export type StorePage<Item> = { readonly items: readonly Item[]; readonly page: PageResponse }

/** Returns the page of entries under a prefix, as stored or as `pick` changes them. */
export function prefixPage(
  context: Context,
  at: StorePlace,
  pick: (entry: Entry) => Uint8Array | undefined = ([, value]) => value,
): Listed {
  return pageOfItems(context, at, pick)
}

/**
 * Returns the page of items that `pick` makes from entries under a prefix. Entries for which it
 * returns undefined are not counted. Reads no further than the node, so that gas matches. Throws if
 * the request has both a key and an offset.
 */
export function pageOfItems<Item>(
  context: Context,
  { store, prefix, page, isCollection = false, refuses = internally }: StorePlace,
  pick: (entry: Entry) => Item | undefined,
): StorePage<Item> {
  const from = page ?? pageRequest.decode(none)
  if (from.offset > 0n && from.key.length > 0) {
    throw refuses('invalid request, either offset or key is expected, got both')
  }
  const isFromKey = from.key.length > 0
  const range = rangeFrom(prefix, from)
  const end = isFromKey && from.reverse && !isCollection ? findEnd(context, { store, prefix }, from) : range.end
  const entries = context.store(store).iterate({ ...range, ...(end === undefined ? {} : { end }) })
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
  const all = { ...prefixRange(prefix), reverse }
  if (key.length === 0) return all
  const at = concatBytes([prefix, key])
  return reverse ? { ...prefixRange(at), start: prefix, reverse } : { ...all, start: at }
}

const internally = (text: string) => statusError('Internal', text)

/**
 * Returns the end of a reverse page: the entry after the first one at or above the key. As on the node,
 * finding it costs gas, it panics if there is only the first, and without the first there is no end.
 */
function findEnd(
  context: Context,
  { store, prefix }: Pick<StorePlace, 'store' | 'prefix'>,
  { key }: PageRequest,
): Uint8Array | undefined {
  const all = prefixRange(prefix)
  const entries = context
    .store(store)
    .iterate({ ...all, start: concatBytes([prefix, key]) })
    [Symbol.iterator]()
  if (entries.next().done === true) return all.end
  const { value: after } = entries.next()
  if (after === undefined) throw new GoPanic('prefixIterator invalid, cannot call Key()')
  return after[0]
}

function limitOf({ limit }: PageRequest): bigint {
  return limit === 0n ? defaultLimit : limit
}

/**
 * Returns whether the total is counted. Without a limit, a page has 100 items and always the total.
 */
function isCounting({ countTotal, limit }: PageRequest): boolean {
  return countTotal || limit === 0n
}

function pageFromKey<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): StorePage<Item> {
  const items: Item[] = []
  for (const [key, value] of entries) {
    const rest = key.slice(prefix.length)
    if (BigInt(items.length) === limitOf(from)) return { items, page: { nextKey: rest, total: 0n } }
    const item = pick([rest, value])
    if (item !== undefined) items.push(item)
  }
  return { items, page: { nextKey: none, total: 0n } }
}

function pageFromOffset<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): StorePage<Item> {
  // Go's sum wraps around, so the greatest limit ends the page at the first entry that does not belong to it.
  const last = BigInt.asUintN(64, from.offset + limitOf(from))
  const beyond = BigInt.asUintN(64, last + 1n)
  const items: Item[] = []
  let nextKey: Uint8Array | undefined
  let total = 0n
  for (const [key, value] of entries) {
    const rest = key.slice(prefix.length)
    const item = pick([rest, value])
    if (item !== undefined) {
      total += 1n
      if (total > from.offset && total <= last) items.push(item)
    }
    if (total === beyond && (total > from.offset || beyond === 0n)) {
      nextKey ??= rest
      if (!isCounting(from)) break
    }
  }
  return { items, page: { nextKey: nextKey ?? none, total: isCounting(from) ? total : 0n } }
}

function hitsFromKey<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): StorePage<Item> {
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

function hitsFrom<Item>(entries: Iterable<Entry>, { prefix, from, pick }: Walk<Item>): StorePage<Item> {
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
