/** Tables whose rows are keyed, so that updates keep the selection and focus. */
import type { ComponentChildren } from 'preact'
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
  if (rows.length === 0) return <Empty title={empty[0]}>{empty[1]}</Empty>
  return (
    <div class="card scroll">
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
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={keyOf(row)} role="row">
              {columns.map((one) => (
                <td key={one.title} class={one.class} role="cell" data-label={one.title}>
                  {shown(one.show(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function shown(value: ComponentChildren): ComponentChildren {
  return value === null || value === undefined || value === '' ? '–' : value
}
