/** Pagination of query results (cosmos-sdk types/query). */
import type { Context } from '../context.ts'
import { pageOfItems, type StorePlace } from '../query/page.ts'
import type { AbiValue } from './abi.ts'
import { bytesArgument, flagArgument, listArgument, integerArgument } from './arguments.ts'
import { goError } from '../txError.ts'

/** Solidity types of a page request and a page response. */
export const pageIn = '(bytes,uint64,uint64,bool,bool)'
export const pageOut = '(bytes,uint64)'

type Page<Item> = { readonly items: readonly Item[]; readonly response: AbiValue }

/**
 * Returns the requested page of a list, and the key of the next page. `pick` converts entries to
 * items and returns undefined for entries that do not belong to the list.
 */
export function precompilePage<Item>(
  context: Context,
  at: Omit<StorePlace, 'page'>,
  request: AbiValue | undefined,
  pick: (entry: readonly [key: Uint8Array, value: Uint8Array]) => Item | undefined,
): Page<Item> {
  const [start, offset, limit, counts, reverse] = listArgument(request)
  const key = bytesArgument(start)
  if (key.length > 0 && integerArgument(offset) > 0n) {
    throw goError('invalid request, either offset or key is expected, got both')
  }
  const page = {
    key,
    offset: integerArgument(offset),
    limit: integerArgument(limit),
    countTotal: flagArgument(counts),
    reverse: flagArgument(reverse),
  }
  const {
    items,
    page: { nextKey, total },
  } = pageOfItems(context, { ...at, page }, pick)
  return { items, response: [nextKey, total] }
}
