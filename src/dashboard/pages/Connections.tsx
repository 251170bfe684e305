/** Open connections with their subscriptions, and filters that clients poll. */
import { useData } from '../core/useData.ts'
import { Pending } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { interfaces } from './Requests.tsx'

type Listening = {
  readonly connections: readonly {
    readonly connection: number
    readonly side: string
    readonly remote: string
    readonly listens: readonly string[]
  }[]
  readonly filters: readonly { readonly id: string; readonly kind: string }[]
}

export function Connections() {
  const { data, error } = useData<Listening>('/subscriptions')
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <Table
        label="Connections"
        rows={data.connections}
        keyOf={({ connection }) => connection}
        empty={[
          'No connections',
          'Open a WebSocket to /websocket on CometBFT RPC, or call eth_subscribe on Ethereum JSON-RPC.',
        ]}
        columns={[
          { title: 'No.', class: 'num', show: ({ connection }) => connection },
          { title: 'Interface', show: ({ side }) => interfaces[side] ?? side },
          { title: 'From', class: 'mono', show: ({ remote }) => remote },
          {
            title: 'Subscriptions',
            class: 'mono wrap',
            show: ({ listens }) => (listens.length === 0 ? 'none' : listens.join('; ')),
          },
        ]}
      />
      <h2>Polled filters</h2>
      <Table
        label="Filters"
        rows={data.filters}
        keyOf={({ id }) => id}
        empty={['No filters', 'Create one with eth_newFilter.']}
        columns={[
          { title: 'ID', class: 'mono', show: ({ id }) => id },
          { title: 'Kind', show: ({ kind }) => kind },
        ]}
      />
    </>
  )
}
