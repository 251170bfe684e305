/** Pages of numbers from the search indexes of a chain: heights of logs, numbers of transactions. */
import { numbersOfAny, type AppendIndex } from '../../data/appendIndex.ts'

/**
 * A page of a list whose entries are numbered and shown newest first. It holds the newest entries
 * below `before`, or with `from` the oldest entries that are at least `from`.
 */
export type NumberPage = { readonly before: number; readonly from: number | undefined; readonly limit: number }

/** Numbers that have at least one key of every group; `first` is the lowest number to search. */
export type NumberSearch = {
  readonly index: AppendIndex
  readonly groups: readonly (readonly string[])[]
  readonly first: number
}

/** The width of the first window that a search reads; each further window is twice as wide. */
const firstWidth = 256

/**
 * Returns the numbers of a page in descending order. Searches in windows that double in size, so
 * that a page of a list with a million entries costs no more than the page.
 */
export function pageOfNumbers(search: NumberSearch, { before, from, limit }: NumberPage): readonly number[] {
  const found: number[] = []
  if (from === undefined) {
    let top = Math.min(before, search.index.limit)
    for (let width = firstWidth; top > search.first && found.length < limit; width *= 2) {
      const bottom = Math.max(search.first, top - width)
      found.push(...inWindow(search, bottom, top).toReversed())
      top = bottom
    }
    return found.slice(0, limit)
  }
  let bottom = Math.max(from, search.first)
  for (let width = firstWidth; bottom < search.index.limit && found.length < limit; width *= 2) {
    const top = Math.min(bottom + width, search.index.limit)
    found.push(...inWindow(search, bottom, top))
    bottom = top
  }
  return found.slice(0, limit).toReversed()
}

function inWindow(
  { index, groups: [first = [], ...others] }: NumberSearch,
  from: number,
  to: number,
): readonly number[] {
  return others.reduce<readonly number[]>(
    (kept, keys) => {
      const allowed = new Set(numbersOfAny(index, keys, { from, to }))
      return kept.filter((number) => allowed.has(number))
    },
    numbersOfAny(index, first, { from, to }),
  )
}
