/** Cosmos events: their type and attributes. */
import type { ComponentChildren } from 'preact'
import { counted } from '../core/format.ts'
import type { CosmosEvent } from '../core/shapes.ts'
import { AddressLink } from '../parts/basics.tsx'
import { Table, type Column } from '../parts/Table.tsx'

const addressPattern = /^(?:cosmos(?:valoper)?1[a-z\d]{38}|0x[\da-fA-F]{40})$/

/** The attributes of an event, addresses as links. `leaves` names attributes that are left out. */
export function Attributes({ event, leaves = [] }: { event: CosmosEvent; leaves?: readonly string[] }) {
  return (
    <span class="attributes">
      {event.attributes
        .filter(({ key }) => !leaves.includes(key))
        .map(({ key, value }, index) => (
          <span key={index}>
            <span class="hint">{key}</span> <Value text={value} />
          </span>
        ))}
    </span>
  )
}

function Value({ text }: { text: string }) {
  if (addressPattern.test(text)) return <AddressLink address={text} />
  if (/(?!\s)[\p{Cc}\ufffd]/u.test(text)) {
    return <span class="hint">{counted(text.length, 'character')} of binary data</span>
  }
  return <span class="mono break">{text}</span>
}

type Listed<Event> = {
  readonly events: readonly Event[]
  readonly label: string
  readonly empty: readonly [string, ComponentChildren?]
  readonly leaves?: readonly string[]
  readonly first?: readonly Column<Event>[]
}

/** A table of events; `first` holds the columns before type and attributes. */
export function EventTable<Event extends CosmosEvent>({
  events,
  label,
  empty,
  leaves = [],
  first = [],
}: Listed<Event>) {
  const places = new Map(events.map((event, index) => [event, index]))
  return (
    <Table
      label={label}
      rows={events}
      keyOf={(event) => places.get(event) ?? 0}
      empty={empty}
      columns={[
        ...first,
        { title: 'Type', show: ({ type }) => type },
        { title: 'Attributes', class: 'wrap', show: (event) => <Attributes event={event} leaves={leaves} /> },
      ]}
    />
  )
}
