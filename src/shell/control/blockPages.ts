/** Pages of what blocks contain, such as logs and events: whole blocks, newest first. */
import type { BlockRecord } from '../../chain/block.ts'
import { recordAt } from '../../chain/history.ts'
import type { History } from '../../chain/indexing.ts'
import { pageOfNumbers, type NumberPage, type NumberSearch } from './numberPages.ts'

/** Maximum number of blocks that one page searches where no index lists the blocks. */
const blocksMost = 2000

/**
 * The rows of whole blocks, newest first. `next` is the `before` of the page of older rows, `newer`
 * the `from` of the page of newer rows; each is null if no block is left.
 */
export type BlockPage<Row> = {
  readonly rows: readonly Row[]
  readonly next: number | null
  readonly newer: number | null
}

type Read<Row> = {
  /** Returns the rows of a block, newest first. */
  readonly rowsOf: (record: BlockRecord) => readonly Row[]
  /** Index keys of the blocks with rows, in groups; undefined to search block by block. */
  readonly groups: NumberSearch['groups'] | undefined
}

/** Returns the rows of whole blocks until there are at least `page.limit`. */
export function pageOfBlocks<Row>(history: History, page: NumberPage, { rowsOf, groups }: Read<Row>): BlockPage<Row> {
  const [base, end] = [Number(history.base), Number(history.first) + history.records.length]
  const top = Math.min(page.before, end)
  const bottom = Math.max(page.from ?? base, base)
  const isUp = page.from !== undefined
  const heights = groups === undefined ? range(isUp, { base, end, top, bottom }) : indexed()
  let rows: Row[] = []
  let last = isUp ? bottom - 1 : top
  let read = 0
  for (const height of heights) {
    const record = recordAt(history, BigInt(height))
    const found = record === undefined ? [] : rowsOf(record)
    rows = isUp ? [...found, ...rows] : [...rows, ...found]
    last = height
    read++
    if (rows.length >= page.limit) break
  }
  const isCut = groups === undefined ? (isUp ? last + 1 < end : last > base) : read < heights.length
  if (isUp) return { rows, next: bottom > base ? bottom : null, newer: isCut ? last + 1 : null }
  return { rows, next: isCut ? last : null, newer: top >= end ? null : top }

  function indexed(): readonly number[] {
    // One height more than the page needs tells whether another page follows.
    const wider = { ...page, limit: page.limit + 1 }
    const found = pageOfNumbers({ index: history.logs, groups: groups ?? [], first: base }, wider)
    return isUp ? found.toReversed() : found
  }
}

type Span = { readonly base: number; readonly end: number; readonly top: number; readonly bottom: number }

function range(isUp: boolean, { base, end, top, bottom }: Span): readonly number[] {
  const count = Math.max(0, Math.min(blocksMost, isUp ? end - bottom : top - base))
  return Array.from({ length: count }, (_, index) => (isUp ? bottom + index : top - 1 - index))
}
