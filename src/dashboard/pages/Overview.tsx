/** A summary of the chain's state. */
import { status as live } from '../core/live.ts'
import { type PageProps, linkTo } from '../core/router.ts'
import type { Block, FullStatus, RequestStats, Tx } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Copy, Pending } from '../parts/basics.tsx'
import { Playing } from '../parts/Playing.tsx'
import { Table } from '../parts/Table.tsx'
import { BlockHistory, RequestCharts } from './charts.tsx'
import { BlockTable, TxTable } from './lists.tsx'
import { WalletButtons } from './wallets.tsx'

export function Overview({ query: { range } }: PageProps) {
  const requests = useData<RequestStats>('/requests', 'timed')
  const status = useData<FullStatus>('/status', false)
  const playback = live.value?.playback ?? null
  return (
    <>
      {playback === null ? <Latest range={range} /> : <Playing recording={playback} />}
      {requests.data === undefined ? null : (
        <>
          <h2>
            Requests <a href={linkTo('requests')}>by method</a>
          </h2>
          <RequestCharts stats={requests.data} />
        </>
      )}
      <h2>Endpoints</h2>
      <Endpoints urls={status.data?.urls ?? {}} />
      <h2>Wallets</h2>
      <WalletButtons />
    </>
  )
}

function Latest({ range }: { range: string | undefined }) {
  const blocks = useData<readonly Block[]>('/blocks?limit=60')
  const transactions = useData<readonly Tx[]>('/transactions?limit=8')
  if (blocks.data === undefined || transactions.data === undefined) return <Pending error={blocks.error} />
  return (
    <>
      <BlockHistory newest={blocks.data} range={range} />
      <h2>
        Latest blocks <a href={linkTo('blocks')}>View all blocks</a>
      </h2>
      <BlockTable rows={blocks.data.slice(0, 8)} />
      <h2>
        Latest transactions <a href={linkTo('transactions')}>View all transactions</a>
      </h2>
      <TxTable rows={transactions.data} />
    </>
  )
}

const names: Readonly<Record<string, string>> = {
  comet: 'CometBFT RPC',
  cometWs: 'CometBFT WebSocket',
  eth: 'Ethereum JSON-RPC',
  ethWs: 'Ethereum WebSocket',
  rest: 'Cosmos REST',
  grpc: 'gRPC',
  control: 'Control API',
  metrics: 'Prometheus metrics',
}

function Endpoints({ urls }: { urls: Readonly<Record<string, string | undefined>> }) {
  const rows = Object.entries(urls).flatMap(([id, url]) => (url === undefined || url === '' ? [] : [{ id, url }]))
  return (
    <Table
      label="Endpoints"
      rows={rows}
      keyOf={({ id }) => id}
      empty={['No open ports', 'This chain runs inside a program.']}
      columns={[
        { title: 'Interface', show: ({ id }) => names[id] ?? id },
        {
          title: 'URL',
          class: 'mono wrap',
          show: ({ id, url }) => (
            <>
              {url} <Copy text={url} what={`the URL of ${names[id] ?? id}`} />
            </>
          ),
        },
      ]}
    />
  )
}
