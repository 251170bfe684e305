/** Tables whose rows are keyed, so that updates keep the selection and focus. */
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Empty } from './basics.tsx'

export type Column<Row> = {
  readonly title: string
  readonly class?: string
  readonly show: (row: Row) => ComponentChildren
}

type Shown<Row> = {
  readonly label: string
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  readonly columns: readonly Column<Row>[]
  readonly empty: readonly [string, ComponentChildren?]
}

/** A table. On narrow screens each row becomes a card, whose cells show their column's title. */
export function Table<Row>({ label, rows, keyOf, columns, empty }: Shown<Row>) {
  const { lines, box, minHeight } = useStaged({ rows, keyOf, columns })
  if (rows.length === 0) return <Empty title={empty[0]}>{empty[1]}</Empty>
  return (
    <div class="card scroll" ref={box} style={{ minHeight }}>
      <table aria-label={label} role="table">
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((one) => (
              <th key={one.title} class={one.class} scope="col" role="columnheader">
                {one.title === '' ? <span class="hidden">Actions</span> : one.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{lines}</tbody>
      </table>
    </div>
  )
}

/** The number of new rows that are drawn in one frame: a chain under load replaces all rows at once. */
const newMost = 4

type Key = string | number

/**
 * Returns the lines to draw now: those that are drawn already, and some of the new ones, from the
 * top. The others follow in the next frames, while the table keeps its height. In those frames a line
 * that is drawn stays the same object, which is not compared again.
 */
function useStaged<Row>({ rows, keyOf, columns }: Pick<Shown<Row>, 'rows' | 'keyOf' | 'columns'>) {
  const known = useRef<ReadonlyMap<Key, VNode>>(new Map())
  const box = useRef<HTMLDivElement>(null)
  const height = useRef(0)
  const [count, draw] = useState(0)
  const last = useRef({ rows, columns, count })
  const isContinued = last.current.count !== count && last.current.rows === rows && last.current.columns === columns
  last.current = { rows, columns, count }
  let left = newMost
  const drawn = rows.flatMap((row): (readonly [Key, VNode])[] => {
    const key = keyOf(row)
    const before = known.current.get(key)
    if (before === undefined) left -= 1
    if (before === undefined && left < 0) return []
    return [[key, isContinued && before !== undefined ? before : lineOf(row, key, columns)]]
  })
  const isWhole = drawn.length === rows.length
  useEffect(() => {
    known.current = new Map(drawn)
    if (isWhole) height.current = box.current?.offsetHeight ?? 0
    const frame = isWhole ? 0 : requestAnimationFrame(() => draw(count + 1))
    return () => cancelAnimationFrame(frame)
  })
  return { lines: drawn.map(([, line]) => line), box, minHeight: isWhole ? undefined : `${height.current}px` }
}

function lineOf<Row>(row: Row, key: Key, columns: readonly Column<Row>[]): VNode {
  return (
    <tr key={key} role="row">
      {columns.map((one) => (
        <td key={one.title} class={one.class} role="cell" data-label={one.title}>
          {shown(one.show(row))}
        </td>
      ))}
    </tr>
  )
}

function shown(value: ComponentChildren): ComponentChildren {
  return value === null || value === undefined || value === '' ? '–' : value
}
