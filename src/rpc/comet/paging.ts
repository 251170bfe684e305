/**
 * Paging of lists (`comet-rpc.md` §1.2): the page size is clamped; a page after the last is
 * refused.
 */
import { failed } from './errors.ts'

export type PageBounds = { readonly from: number; readonly to: number }

/** Returns the number of items on a page: 30 by default, 100 at most. */
export function pageSize(perPage: bigint | undefined): number {
  if (perPage === undefined || perPage < 1n) return 30
  return perPage > 100n ? 100 : Number(perPage)
}

/**
 * Returns the range of items on a page, counted from 0; `to` is exclusive. Throws for a page out of
 * range.
 */
export function pageBounds(page: bigint | undefined, perPage: bigint | undefined, total: number): PageBounds {
  const size = pageSize(perPage)
  const pages = Math.max(1, Math.ceil(total / size))
  if (page !== undefined && (page < 1n || page > BigInt(pages))) {
    throw failed(`page should be within [1, ${pages}] range, given ${page}`)
  }
  const from = (Number(page ?? 1n) - 1) * size
  return { from, to: Math.min(from + size, total) }
}
