/** The faults, each with its hit count and an on/off switch. */
import { post, remove } from '../core/api.ts'
import { duration, number } from '../core/format.ts'
import { run } from '../core/said.ts'
import { useData } from '../core/useData.ts'
import { Pending, Pill } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { openFault } from './faultForm.tsx'

type Rule = {
  readonly match: Readonly<Record<string, unknown>>
  readonly effects: readonly (Readonly<Record<string, unknown>> & { readonly type: string })[]
  readonly select: { readonly type: string }
}
type Counted = {
  readonly name: string
  readonly matched: number
  readonly applied: number
  readonly masked: number
  readonly rule: Rule
}
type Active = Counted & { readonly leftMs: number | null; readonly untilHeight: number | null }
type Faulty = {
  readonly active: readonly Active[]
  readonly available: readonly Counted[]
  readonly masked: readonly { readonly timeMs: number; readonly text: string }[]
}
type Row = Counted & Partial<Active> & { readonly isOn: boolean }

function turn({ name, isOn }: Row): void {
  void (isOn
    ? run(remove(`/faults/${encodeURIComponent(name)}`), () => `Turned off "${name}". Its switch turns it on again.`)
    : run(post('/faults', { name }), () => `"${name}" is on.`))
}

export function Faults() {
  const { data, error } = useData<Faulty>('/faults', 'timed')
  if (data === undefined) return <Pending error={error} />
  const rows: readonly Row[] = [
    ...data.active.map((one) => ({ ...one, isOn: true })),
    ...data.available.map((one) => ({ ...one, isOn: false })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return (
    <>
      <div class="formrow">
        <button type="button" class="main" onClick={() => void openFault()}>
          New fault…
        </button>
      </div>
      <Table
        label="Faults"
        rows={rows}
        keyOf={({ name }) => name}
        empty={['No faults', 'Create a fault, or start with a scenario that defines faults.']}
        columns={[
          { title: 'On', show: (row) => <Switch row={row} /> },
          { title: 'Name', show: ({ name }) => <strong>{name}</strong> },
          { title: 'Matched', class: 'num', show: ({ matched }) => number(matched) },
          { title: 'Hits', class: 'num', show: ({ applied }) => number(applied) },
          {
            title: 'Masked',
            class: 'num',
            show: ({ masked }) => (masked === 0 ? null : <Pill kind="warn">{number(masked)}</Pill>),
          },
          { title: 'Ends', show: endOf },
          { title: 'Rule', class: 'mono wrap', show: ({ rule }) => ruleText(rule) },
        ]}
      />
      <h2>Masked faults</h2>
      <p class="hint">The client hid these faults by retrying, so its test did not fail.</p>
      <Table
        label="Masked faults"
        rows={data.masked.slice(-20).toReversed()}
        keyOf={({ timeMs, text }) => `${timeMs} ${text}`}
        empty={['No masked faults']}
        columns={[
          { title: 'At', class: 'num', show: ({ timeMs }) => duration(timeMs) },
          { title: 'Fault', class: 'wrap', show: ({ text }) => text },
        ]}
      />
    </>
  )
}

function Switch({ row }: { row: Row }) {
  return (
    <button
      type="button"
      class="switch"
      role="switch"
      aria-checked={row.isOn}
      aria-label={`Fault ${row.name}`}
      data-key={`fault-${row.name}`}
      onClick={() => turn(row)}
    />
  )
}

function endOf({ isOn, leftMs = null, untilHeight = null }: Row): string {
  if (!isOn) return ''
  const ends = [
    ...(untilHeight === null ? [] : [`at height ${number(untilHeight)}`]),
    ...(leftMs === null ? [] : [`in ${duration(leftMs)}`]),
  ]
  return ends.join(' or ') || 'when turned off'
}

function ruleText({ match, effects, select }: Rule): string {
  const on =
    Object.entries(match)
      .map(([key, value]) => `${key} ${[value].flat().join(', ')}`)
      .join('; ') || 'all requests'
  const does = effects
    .map(({ type, ...rest }) =>
      [type, ...new Set(Object.values(rest).filter((one) => typeof one !== 'object'))].join(' '),
    )
    .join(', ')
  return `${on} → ${does}${select.type === 'all' ? '' : ` (${select.type})`}`
}
