/** The mempool: why each transaction is waiting, and the actions available for it. */
import { duration, gwei } from '../core/format.ts'
import { status } from '../core/live.ts'
import { type PageProps, linkTo } from '../core/router.ts'
import type { Waiting } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Pending, Pill, TxLink } from '../parts/basics.tsx'
import { SlicePager, firstRow, pageSize } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { WaitingActions } from './waitingTx.tsx'

export function Mempool({ query: { from } }: PageProps) {
  const first = firstRow(from)
  const { data, error } = useData<readonly Waiting[]>(`/mempool?from=${first}&limit=${pageSize}`)
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <SlicePager
        from={first}
        total={Math.max(status.value?.waiting ?? 0, first + data.length)}
        link={(query) => linkTo('mempool', '', query)}
      />
      <WaitingTable rows={data} />
    </>
  )
}

function WaitingTable({ rows }: { rows: readonly Waiting[] }) {
  return (
    <Table
      label="Mempool"
      rows={rows}
      keyOf={({ hash }) => hash}
      empty={[
        'The mempool is empty',
        <>
          With <code>--blocks manual</code>, transactions stay here until you mine a block.
        </>,
      ]}
      columns={[
        { title: 'Hash', show: ({ hash, ethHash }) => <TxLink hash={ethHash ?? hash} /> },
        {
          title: 'State',
          show: ({ state }) => <Pill kind={state === 'pending' ? 'good' : 'warn'}>{state}</Pill>,
        },
        { title: 'Reason', class: 'wrap', show: ({ reason }) => reason },
        { title: 'Waiting', class: 'num', show: ({ waitedMs }) => duration(waitedMs) },
        { title: 'Sender', show: ({ sender }) => <AddressLink address={sender} /> },
        { title: 'Nonce', class: 'num', show: ({ nonce }) => nonce },
        { title: 'Fee cap (gwei)', class: 'num', show: ({ feeCap }) => (feeCap === null ? null : gwei(feeCap)) },
        { title: '', show: (one) => <WaitingActions {...one} /> },
      ]}
    />
  )
}
