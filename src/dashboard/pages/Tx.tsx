/** One transaction, as CometBFT RPC and Ethereum JSON-RPC show it. */
import type { ComponentChildren } from 'preact'
import type { PageProps } from '../core/router.ts'
import { coinText } from '../core/coins.ts'
import { moment, number, percent, units } from '../core/format.ts'
import { coin, height as top } from '../core/live.ts'
import type { FullTx, WaitingTx } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, BlockLink, Copy, Fields, Folded, Json, Pending, Pill, CopyableText } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { Tabs, tabOf } from '../parts/Tabs.tsx'
import { Calls, Changes } from './trace.tsx'
import { Steps } from './Steps.tsx'
import { CopyAs } from './copyAs.tsx'
import { Args, Line, LogText } from './decoded.tsx'
import { MessageEvents, Messages } from './messages.tsx'
import { ModuleChanges } from './moduleChanges.tsx'
import { Simulate } from './Simulate.tsx'
import { SimulateCosmos } from './SimulateCosmos.tsx'
import { WaitingPage } from './waitingTx.tsx'

export function Tx({ id, query }: PageProps) {
  const { data, error } = useData<FullTx | Unmined>(`/transactions/${encodeURIComponent(id)}`, isUnmined)
  if (data === undefined) return <Pending error={error} />
  return isUnmined(data) ? <WaitingPage tx={data.waiting} /> : <Mined tx={data} query={query} />
}

type Unmined = { readonly waiting: WaitingTx }
const isUnmined = (one: FullTx | Unmined): one is Unmined => 'waiting' in one

function Mined({ tx, query }: { tx: FullTx; query: PageProps['query'] }) {
  const isEthereum = tx.ethHash !== null
  const tabs: readonly (readonly [string, string])[] = [
    ['summary', 'Summary'],
    ['logs', `Logs (${tx.decodedLogs.length})`],
    ['cosmos', `Cosmos events (${tx.cosmosEvents.length})`],
    ...(isEthereum ? ([['calls', 'Calls']] as const) : []),
    ['changes', 'State changes'],
    ...(isEthereum ? ([['steps', 'Opcodes']] as const) : []),
    ['simulate', 'Simulate again'],
    ['raw', 'Raw'],
  ]
  const views: Readonly<Record<string, () => ComponentChildren>> = {
    summary: () => <Summary tx={tx} />,
    logs: () => <TxLogs tx={tx} />,
    cosmos: () => <MessageEvents tx={tx} />,
    calls: () => <Calls hash={tx.ethHash ?? ''} />,
    changes: () => (
      <>
        {tx.ethHash === null ? null : <Changes hash={tx.ethHash} />}
        <ModuleChanges changes={tx.moduleChanges} />
      </>
    ),
    steps: () => <Steps hash={tx.ethHash ?? ''} query={query} />,
    simulate: () => (isEthereum ? <Simulate tx={tx} /> : <SimulateCosmos tx={tx} />),
    raw: () => <Raw tx={tx} />,
  }
  return (
    <>
      <p class="verdict">
        <Pill kind={tx.ok ? 'good' : 'bad'}>{tx.ok ? 'succeeded' : 'failed'}</Pill>
        {tx.call === null ? null : <Line name={tx.call.name} args={tx.call.args} />}
        {tx.ok ? null : <span class="fail">{tx.failure === null ? tx.error : <Line {...tx.failure} />}</span>}
      </p>
      <Tabs tabs={tabs} label="Transaction views" />
      <section id="tabpanel" role="tabpanel" aria-labelledby={`tab-${tabOf(tabs)}`}>
        {views[tabOf(tabs)]?.()}
      </section>
    </>
  )
}

function Summary({ tx }: { tx: FullTx }) {
  const memo = tx.cosmos.result?.tx.body.memo ?? ''
  return (
    <>
      <div class="card">
        <Fields
          pairs={[
            ['Label', tx.label === null ? null : <strong>{tx.label}</strong>],
            ['Ethereum hash', tx.ethHash === null ? null : <CopyableText text={tx.ethHash} what="the Ethereum hash" />],
            ['Cosmos hash', <CopyableText text={tx.hash} what="the Cosmos hash" />],
            [
              'Block',
              <>
                <BlockLink height={tx.height} /> <span class="hint">index {tx.index}</span>
              </>,
            ],
            ['Confirmations', number(Math.max(top.value - tx.height, 0))],
            ['Time', `${moment(tx.time)} UTC`],
            ['From', tx.from === null ? null : <AddressLink address={tx.from} whole />],
            ['To', tx.to === null ? null : <AddressLink address={tx.to} whole />],
            ['Created contract', tx.creates === null ? null : <AddressLink address={tx.creates} whole />],
            ['Coins', tx.coins.length === 0 ? null : tx.coins.map(coinText).join(', ')],
            ['Value', tx.wei === null ? null : `${units(tx.wei)} ${coin.value} (${tx.wei} wei)`],
            ['Nonce', tx.nonce === null ? null : number(tx.nonce)],
            ['Gas', `${number(tx.gasUsed)} of ${number(tx.gasWanted)} (${percent(tx.gasUsed / (tx.gasWanted || 1))})`],
            ['Memo', memo],
          ]}
        />
      </div>
      {tx.call === null || tx.call.args.length === 0 ? null : (
        <>
          <h2>
            Calldata <code>{tx.call.signature}</code>
          </h2>
          <div class="card scroll">
            <Args decoded={tx.call} label="Arguments" />
          </div>
        </>
      )}
      {tx.input === null || tx.input === '0x' ? null : <Folded title="Calldata in hex" value={tx.input} />}
      <h2>Cosmos messages</h2>
      <Messages tx={tx} />
      <h2>Copy as</h2>
      <CopyAs tx={tx} />
    </>
  )
}

function TxLogs({ tx }: { tx: FullTx }) {
  return (
    <>
      <Slices rows={tx.decodedLogs} name="logs">
        {(rows) => (
          <Table
            label="Logs"
            rows={rows}
            keyOf={({ index }) => index}
            empty={['No logs', 'This transaction emitted no Ethereum logs.']}
            columns={[
              { title: 'No.', class: 'num', show: ({ index }) => index },
              { title: 'Contract', show: ({ address }) => <AddressLink address={address} /> },
              { title: 'Event', class: 'wrap', show: (log) => <LogText log={log} /> },
            ]}
          />
        )}
      </Slices>
      {tx.decodedLogs.length === 0 ? null : (
        <Folded
          title="Raw logs"
          value={tx.decodedLogs.map(({ address, topics, data }) => ({ address, topics, data }))}
        />
      )}
    </>
  )
}

function Raw({ tx }: { tx: FullTx }) {
  return (
    <>
      <h2>
        Ethereum bytes {tx.ethereumRaw === null ? null : <Copy text={tx.ethereumRaw} what="the Ethereum bytes" />}
      </h2>
      {tx.ethereumRaw === null ? (
        <p class="hint">This is not an Ethereum transaction.</p>
      ) : (
        <Json value={tx.ethereumRaw} label="Ethereum bytes" />
      )}
      <h2>
        Cosmos bytes <Copy text={tx.raw} what="the Cosmos bytes" />
      </h2>
      <Json value={tx.raw} label="Cosmos bytes" />
      <h2>Responses</h2>
      <Folded title="Ethereum JSON-RPC: eth_getTransactionByHash" value={tx.ethereum} />
      <Folded title="Ethereum JSON-RPC: eth_getTransactionReceipt" value={tx.receipt} />
      <Folded title="CometBFT RPC: tx" value={tx.comet} />
      <Folded title="Cosmos REST: /cosmos/tx/v1beta1/txs" value={tx.cosmos} />
    </>
  )
}
