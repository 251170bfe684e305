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
  1: ['key', bytes], 2: ['offset', uint64], 3: ['limit', uint64], 4: ['countTotal', bool],
  5: ['reverse', bool],
})
export const pageResponse = message<PageResponse>({ 1: ['nextKey', bytes], 2: ['total', uint64] })

/** A list's answer: the items' own bytes in field 1, the page in field 2. */
export const listed = message<Listed>({
  1: ['items', repeated(bytes)], 2: ['page', nested(pageResponse)],
})

const defaultLimit = 100n

/**
 * Returns the page of entries under a prefix that `pick`  makes into items; what it gives
 * undefined for is not counted. Throws when both a key and an offset are asked for.
 */
export function pageOf(
  context: Context,
  { store, prefix, page }: {
    readonly store: StoreName; readonly prefix: Uint8Array; readonly page: PageRequest | undefined
  },
  pick: (entry: Entry) => Uint8Array | undefined = ([, value]) => value,
): Listed {
  const from = page ?? pageRequest.decode(new Uint8Array(0))
  if (from.offset > 0n && from.key.length > 0) {
    throw statusError('Internal',
      'invalid request, either offset or key is expected, got both')
  }
  const entries = context.store(store).iterate(rangeFrom(prefix, from))
  return from.key.length > 0
    ? pageFromKey(entries, { prefix, from, pick })
    : pageFromOffset(entries, { prefix, from, pick })
}

type Walk = {
  readonly prefix: Uint8Array
  readonly from: PageRequest
  readonly pick: (entry: Entry) => Uint8Array | undefined
}

function rangeFrom(prefix: Uint8Array, { key, reverse }: PageRequest) {
  const all = { ...rangeOf(prefix), reverse }
  if (key.length === 0) return all
  const at = concatBytes([prefix, key])
  return reverse ? { ...all, end: concatBytes([at, Uint8Array.of(0)]) } : { ...all, start: at }
}

function pageFromKey(entries: Iterable<Entry>, { prefix, from, pick }: Walk): Listed {
  const limit = from.limit === 0n ? defaultLimit : from.limit
  const items: Uint8Array[] = []
  for (const entry of entries) {
    if (BigInt(items.length) === limit) {
      return { items, page: { nextKey: entry[0].slice(prefix.length), total: 0n } }
    }
    const item = pick([entry[0].slice(prefix.length), entry[1]])
    if (item !== undefined) items.push(item)
  }
  return { items, page: { nextKey: new Uint8Array(0), total: 0n } }
}

function pageFromOffset(entries: Iterable<Entry>, { prefix, from, pick }: Walk): Listed {
  // Without a limit the first hundred come, and the count is given unasked.
  const isCounting = from.countTotal || from.limit === 0n
  const last = from.offset + (from.limit === 0n ? defaultLimit : from.limit)
  const items: Uint8Array[] = []
  let nextKey = new Uint8Array(0)
  let total = 0n
  for (const [key, value] of entries) {
    const item = pick([key.slice(prefix.length), value])
    if (item === undefined) continue
    total += 1n
    if (total > from.offset && total <= last) items.push(item)
    if (total === last + 1n) {
      nextKey = key.slice(prefix.length)
      if (!isCounting) break
    }
  }
  return { items, page: { nextKey, total: isCounting ? total : 0n } }
}
