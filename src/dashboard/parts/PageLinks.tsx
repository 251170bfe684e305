/** Links between the pages of numbered lists and of whole lists. */
import type { ComponentChildren } from 'preact'
import { number } from '../core/format.ts'
import { linkTo, route } from '../core/router.ts'
import { Pager } from './Pager.tsx'

type Query = Readonly<Record<string, string | number>>

/** The part of the URL that selects a page of a list whose entries are numbered, newest first. */
export type Cursor = { readonly before?: string | undefined; readonly from?: string | undefined }

/** Returns the query of the API for a page, starting with `&`. */
export function cursorQuery({ before, from }: Cursor): string {
  if (from !== undefined) return `&from=${encodeURIComponent(from)}`
  return before === undefined ? '' : `&before=${encodeURIComponent(before)}`
}

/** Returns whether a page is the newest one, which changes with every block. */
export function isNewest({ before, from }: Cursor): boolean {
  return before === undefined && from === undefined
}

type Numbered = {
  readonly cursor: Cursor
  /** The `before` of the older page and the `from` of the newer page; null if there is none. */
  readonly next: number | null
  readonly newer: number | null
  readonly link: (query: Query) => string
  readonly children?: ComponentChildren
}

export function NumberedPager({ cursor, next, newer, link, children }: Numbered) {
  return (
    <Pager
      newest={isNewest(cursor) ? undefined : link({})}
      newer={newer === null || isNewest(cursor) ? undefined : link({ from: newer })}
      older={next === null ? undefined : link({ before: next })}
      oldest={next === null ? undefined : link({ from: 0 })}
    >
      {children}
    </Pager>
  )
}

/**
 * The number of rows of one page of a list. A chain under load replaces all of them twice a second, and
 * each frame in which some are drawn lays out and paints the whole table.
 */
export const pageSize = 25

/** Returns the first row of a page as the URL has it, and 0 for anything else. */
export function firstRow(from: string | undefined): number {
  const row = Number(from)
  return Number.isSafeInteger(row) && row > 0 ? row : 0
}

type Sliced = {
  readonly from: number
  readonly total: number
  readonly link: (query: Query) => string
  /** The parameter of the URL that holds the first row. */
  readonly name?: string
  readonly size?: number
}

export function SlicePager({ from, total, link, name = 'from', size = pageSize }: Sliced) {
  const last = Math.max(0, Math.ceil(total / size) - 1) * size
  const to = (start: number) => link(start === 0 ? {} : { [name]: start })
  return (
    <Pager
      newest={from > 0 ? to(0) : undefined}
      newer={from > 0 ? to(Math.max(0, from - size)) : undefined}
      older={from < last ? to(from + size) : undefined}
      oldest={from < last ? to(last) : undefined}
      names={['First', 'Previous', 'Next', 'Last']}
    >
      {total > size ? `${number(from + 1)} to ${number(Math.min(from + size, total))} of ${number(total)}` : null}
    </Pager>
  )
}

type Whole<Row> = {
  readonly rows: readonly Row[]
  /** The parameter of the URL that holds the first row; each list of a page has its own. */
  readonly name: string
  readonly children: (rows: readonly Row[]) => ComponentChildren
}

/** Shows a whole list in pages; the URL holds the current one. */
export function Slices<Row>({ rows, name, children }: Whole<Row>) {
  const { page, id, query } = route.value
  const { [name]: at, ...others } = query
  const from = Math.min(firstRow(at), Math.max(0, Math.ceil(rows.length / pageSize) - 1) * pageSize)
  return (
    <>
      <SlicePager
        from={from}
        total={rows.length}
        name={name}
        link={(chosen) => linkTo(page, id, { ...others, ...chosen })}
      />
      {children(rows.slice(from, from + pageSize))}
    </>
  )
}
