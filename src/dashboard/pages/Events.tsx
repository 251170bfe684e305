/** The logs of all contracts, newest first. */
import { type PageProps, linkTo } from '../core/router.ts'
import type { ChainLog } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, BlockLink, Pending, TxLink } from '../parts/basics.tsx'
import { Pager } from '../parts/Pager.tsx'
import { Table } from '../parts/Table.tsx'
import { LogText } from './decoded.tsx'

type Rows = { readonly rows: readonly ChainLog[]; readonly next: number | null }

/** The logs of one contract, or of all contracts. */
export function Logs({
  address,
  before,
  link,
}: {
  address?: string
  before: string | undefined
  link: (query: Record<string, string | number>) => string
}) {
  const of = address === undefined ? '' : `&address=${address}`
  const cursor = before === undefined ? '' : `&before=${Number(before)}`
  const { data, error } = useData<Rows>(`/logs?limit=50${of}${cursor}`, before === undefined)
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <Pager
        newest={before === undefined ? undefined : link({})}
        older={data.next === null ? undefined : link({ before: data.next })}
      >
        {data.next !== null && data.rows.length === 0
          ? 'No events in these 2,000 blocks. Select Older to continue.'
          : null}
      </Pager>
      <Table
        label="Events"
        rows={data.rows}
        keyOf={({ height, index }) => `${height}/${index}`}
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

export function Events({ query: { before } }: PageProps) {
  return <Logs before={before} link={(query) => linkTo('events', '', query)} />
}
