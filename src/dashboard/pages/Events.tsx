/** The logs of contracts and the Cosmos events of the chain, newest first, with filters in the URL. */
import type { ComponentChildren } from 'preact'
import { type PageProps, go, linkTo } from '../core/router.ts'
import type { ChainEvent, ChainLog, NumberedRows } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, BlockLink, Pending, TxLink } from '../parts/basics.tsx'
import { type Cursor, cursorQuery, isNewest, NumberedPager, pageSize } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { Tabs, tabOf } from '../parts/Tabs.tsx'
import { EventTable } from './cosmosEvents.tsx'
import { LogText } from './decoded.tsx'

type Query = Readonly<Record<string, string | number>>

/** The filters of a list of events that the URL holds; absent ones filter nothing. */
type Filters = Readonly<Record<string, string | undefined>>

type Listing = {
  readonly cursor: Cursor
  readonly filters: Filters
  readonly link: (query: Query) => string
}

const searched = 'No events in these 2,000 blocks. Select Older or Newer to continue.'

function queryOf(filters: Filters): string {
  return Object.entries(filters)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `&${name}=${encodeURIComponent(value ?? '')}`)
    .join('')
}

/** The logs of one contract, or of all contracts; the filters are `address` and `event`. */
export function Logs({ cursor, filters, link }: Listing) {
  const path = `/logs?limit=${pageSize}${queryOf(filters)}${cursorQuery(cursor)}`
  const { data, error } = useData<NumberedRows<ChainLog>>(path, isNewest(cursor))
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <NumberedPager cursor={cursor} {...data} link={link}>
        {data.next !== null && data.rows.length === 0 ? searched : null}
      </NumberedPager>
      <Table
        label="Events"
        rows={data.rows}
        keyOf={({ height, index, transaction }) => `${height}/${transaction}/${index}`}
        empty={['No events', 'Contract logs appear here, decoded with the known ABIs.']}
        columns={[
          { title: 'Block', class: 'num', show: ({ height }) => <BlockLink height={height} /> },
          { title: 'Transaction', show: ({ transaction }) => <TxLink hash={transaction} /> },
          { title: 'Contract', show: (log) => <AddressLink address={log.address} /> },
          { title: 'Event', class: 'wrap', show: (log) => <LogText log={log} /> },
        ]}
      />
    </>
  )
}

/** The events of transactions and blocks; the filters are `type` and `value`. */
function CosmosLogs({ cursor, filters, link }: Listing) {
  const path = `/events?limit=${pageSize}${queryOf(filters)}${cursorQuery(cursor)}`
  const { data, error } = useData<NumberedRows<ChainEvent>>(path, isNewest(cursor))
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <NumberedPager cursor={cursor} {...data} link={link}>
        {data.next !== null && data.rows.length === 0 ? searched : null}
      </NumberedPager>
      <EventTable
        label="Cosmos events"
        events={data.rows}
        empty={['No events', 'Events of Cosmos modules appear here: those of transactions, and those of blocks.']}
        first={[
          { title: 'Block', class: 'num', show: ({ height }) => <BlockLink height={height} /> },
          {
            title: 'Transaction',
            show: ({ transaction }) =>
              transaction === null ? <span class="hint">block event</span> : <TxLink hash={transaction} />,
          },
        ]}
      />
    </>
  )
}

type Field = { readonly name: string; readonly label: string; readonly hint: string }

/** A form whose fields become filters in the URL, with the height from which the list goes back. */
function FilterForm({
  fields,
  query,
  apply,
}: {
  fields: readonly Field[]
  query: Filters
  apply: (query: Query) => void
}) {
  const submit = (form: HTMLFormElement) => {
    const given = new FormData(form)
    const text = (name: string) => String(given.get(name) ?? '').trim()
    const chosen = fields.filter(({ name }) => text(name) !== '').map(({ name }) => [name, text(name)] as const)
    const height = Number(text('height'))
    apply({ ...Object.fromEntries(chosen), ...(height > 0 ? { before: height + 1 } : {}) })
  }
  const { before } = query
  return (
    <form
      key={JSON.stringify(query)}
      class="formrow filters"
      aria-label="Filter events"
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
    >
      {fields.map(({ name, label, hint }) => (
        <label key={name}>
          {label}
          <input name={name} class="mono" defaultValue={query[name] ?? ''} placeholder={hint} spellcheck={false} />
        </label>
      ))}
      <label>
        Up to height
        <input
          name="height"
          class="short"
          inputMode="numeric"
          defaultValue={before === undefined ? '' : String(Number(before) - 1)}
        />
      </label>
      <button>Filter</button>
      {Object.values(query).some((value) => value !== undefined) ? (
        <button type="button" onClick={() => apply({})}>
          Show all
        </button>
      ) : null}
    </form>
  )
}

export const eventField: Field = { name: 'event', label: 'Event', hint: 'Transfer' }

/** The logs of one contract with a filter for their event. */
export function ContractLogs({ id, address, query: { before, from, event } }: PageProps & { address: string }) {
  const to = (query: Query) => ({ tab: 'logs', ...query })
  return (
    <>
      <FilterForm fields={[eventField]} query={{ before, event }} apply={(query) => go('address', id, to(query))} />
      <Logs
        cursor={{ before, from }}
        filters={{ address, event }}
        link={(query) => linkTo('address', id, to({ ...(event === undefined ? {} : { event }), ...query }))}
      />
    </>
  )
}

const tabs = [
  ['logs', 'Contract logs'],
  ['cosmos', 'Cosmos events'],
] as const

const fieldsOf: Readonly<Record<string, readonly Field[]>> = {
  logs: [{ name: 'address', label: 'Contract', hint: '0x…' }, eventField],
  cosmos: [
    { name: 'type', label: 'Type', hint: 'transfer' },
    { name: 'value', label: 'Attribute contains', hint: 'cosmos1…' },
  ],
}

export function Events({ query }: PageProps) {
  const tab = tabOf(tabs)
  const { before, from } = query
  const fields = fieldsOf[tab] ?? []
  const filters: Filters = Object.fromEntries(fields.map(({ name }) => [name, query[name]]))
  const kept = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Query
  const listing: Listing = {
    cursor: { before, from },
    filters,
    link: (chosen) => linkTo('events', '', { tab, ...kept, ...chosen }),
  }
  const views: Readonly<Record<string, () => ComponentChildren>> = {
    logs: () => <Logs {...listing} />,
    cosmos: () => <CosmosLogs {...listing} />,
  }
  return (
    <>
      <Tabs tabs={tabs} label="Kinds of events" />
      <section id="tabpanel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        <FilterForm
          key={tab}
          fields={fields}
          query={{ ...filters, before }}
          apply={(chosen) => go('events', '', { tab, ...chosen })}
        />
        {views[tab]?.()}
      </section>
    </>
  )
}
