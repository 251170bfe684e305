/** Tables of blocks and transactions that several pages show. */
import { coinText } from '../core/coins.ts'
import { gwei, moment, number, units } from '../core/format.ts'
import type { Block, Tx } from '../core/shapes.ts'
import { AddressLink, BlockLink, Pill, Short, TxLink } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

export function BlockTable({ rows }: { rows: readonly Block[] }) {
  return (
    <Table
      label="Blocks"
      rows={rows}
      keyOf={({ hash }) => hash}
      empty={[
        'No blocks yet',
        <>
          Press <kbd>m</kbd> to mine a block, or send a transaction.
        </>,
      ]}
      columns={[
        { title: 'Height', class: 'num', show: ({ height }) => <BlockLink height={height} /> },
        { title: 'Time (UTC)', show: ({ time }) => moment(time) },
        { title: 'Txs', class: 'num', show: ({ transactions }) => number(transactions) },
        { title: 'Gas used', class: 'num', show: (block) => <Gas {...block} /> },
        {
          title: 'Base fee (gwei)',
          class: 'num',
          show: ({ baseFee }) => (baseFee === null ? null : gwei(baseFee)),
        },
        { title: 'Hash', show: ({ hash }) => <Short text={hash} /> },
      ]}
    />
  )
}

function Gas({ gasUsed, gasLimit }: Pick<Block, 'gasUsed' | 'gasLimit'>) {
  const share = gasLimit === 0 ? 0 : Math.min(gasUsed / gasLimit, 1)
  return (
    <span class="gas">
      {number(gasUsed)}
      <span class="bar" aria-hidden="true">
        <span style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </span>
    </span>
  )
}

export function TxTable({ rows, empty }: { rows: readonly Tx[]; empty?: string }) {
  return (
    <Table
      label="Transactions"
      rows={rows}
      keyOf={({ height, index, hash }) => `${height}/${index}/${hash}`}
      empty={[
        empty ?? 'No transactions yet',
        'Connect a wallet or a test to CometBFT RPC or Ethereum JSON-RPC to see its transactions here.',
      ]}
      columns={[
        { title: 'Hash', show: ({ hash, ethHash }) => <TxLink hash={ethHash ?? hash} /> },
        {
          title: 'Result',
          show: ({ ok, error }) => (
            <span title={error}>{ok ? <Pill kind="good">ok</Pill> : <Pill kind="bad">failed</Pill>}</span>
          ),
        },
        { title: 'Action', show: ({ action, kind }) => <span title={kind}>{action}</span> },
        { title: 'Block', class: 'num', show: ({ height }) => <BlockLink height={height} /> },
        { title: 'From', show: ({ from }) => <AddressLink address={from} /> },
        {
          title: 'To',
          show: ({ to, creates }) =>
            to === null && creates !== null ? (
              <>
                <span class="label">new</span> <AddressLink address={creates} />
              </>
            ) : (
              <AddressLink address={to} />
            ),
        },
        {
          title: 'Value',
          class: 'num',
          show: ({ wei, coins }) => (wei === null ? coins.map(coinText).join(', ') : units(wei)),
        },
        { title: 'Gas', class: 'num', show: ({ gasUsed }) => number(gasUsed) },
        { title: 'Logs', class: 'num', show: ({ logs }) => number(logs) },
      ]}
    />
  )
}
