/** Pages of a query's results (cosmos-sdk types/query). */
import { compareBytes } from '../../../data/bytes.ts'
import type { AbiValue } from './abi.ts'
import { bytesOf, flagOf, listOf, numberOf } from './arguments.ts'
import { Reverted } from './reverted.ts'

/** Solidity's type of a request for a page, and of what comes with one. */
export const pageIn = '(bytes,uint64,uint64,bool,bool)'
export const pageOut = '(bytes,uint64)'

type Entry<Item> = { readonly key: Uint8Array; readonly item: Item }
type Page<Item> = { readonly items: readonly Item[]; readonly response: AbiValue }

const defaultLimit = 100n
const none = new Uint8Array(0)

/** Returns the page of entries in key order that a request asks for, and where the next begins. */
export function pageOf<Item>(
  entries: readonly Entry<Item>[], request: AbiValue | undefined,
): Page<Item> {
  const [key, offset, limit, counts, reverse] = listOf(request)
  const asked = bytesOf(key)
  const start = asked.length === 1 && asked[0] === 0 ? none : asked
  const skipped = numberOf(offset)
  if (start.length > 0 && skipped > 0n) {
    throw new Reverted('invalid request, either offset or key is expected, got both')
  }
  const isDefault = numberOf(limit) === 0n
  const size = Number(isDefault ? defaultLimit : numberOf(limit))
  const ordered = flagOf(reverse) ? entries.toReversed() : entries
  const first = start.length === 0
    ? Number(skipped)
    : ordered.findIndex((entry) => compareBytes(entry.key, start) === 0)
  const from = first < 0 ? ordered.length : first
  const next = ordered[from + size]?.key ?? none
  const isCounted = start.length === 0 && (isDefault || flagOf(counts))
  const total = isCounted ? BigInt(entries.length) : 0n
  return {
    items: ordered.slice(from, from + size).map(({ item }) => item), response: [next, total],
  }
}
