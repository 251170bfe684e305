/** One block, as CometBFT RPC and Ethereum JSON-RPC show it. */
import { type PageProps, linkTo } from '../core/router.ts'
import { gwei, moment, number, percent } from '../core/format.ts'
import { height as top } from '../core/live.ts'
import type { BlockVote, FullBlock } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { Copy, Fields, Folded, Pending, Pill, Short, type Kind } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { EventTable } from './cosmosEvents.tsx'
import { TxTable } from './lists.tsx'

export function Block({ id }: PageProps) {
  const { data: block, error } = useData<FullBlock>(`/blocks/${encodeURIComponent(id)}`, false)
  if (block === undefined) return <Pending error={error} />
  const { height } = block
  return (
    <>
      <nav class="pager" aria-label="Adjacent blocks">
        {block.isFirst ? null : (
          <a class="button" href={linkTo('block', String(height - 1))}>
            ← {number(height - 1)}
          </a>
        )}
        {height < top.value ? (
          <a class="button" href={linkTo('block', String(height + 1))}>
            {number(height + 1)} →
          </a>
        ) : null}
      </nav>
      <div class="card">
        <Fields
          pairs={[
            ['Time', `${moment(block.time)} UTC`],
            [
              'Hash',
              <span class="mono break">
                0x{block.hash.toLowerCase()} <Copy text={`0x${block.hash.toLowerCase()}`} what="the block hash" />
              </span>,
            ],
            ['Confirmations', number(Math.max(top.value - height, 0))],
            ['Proposer', <Proposer block={block} />],
            ['App hash', <span class="mono break">{block.appHash}</span>],
            [
              'Gas',
              `${number(block.gasUsed)} of ${number(block.gasLimit)} (${percent(block.gasUsed / (block.gasLimit || 1))})`,
            ],
            ['Base fee', block.baseFee === null ? null : `${gwei(block.baseFee)} gwei`],
            ['Size', `${number(block.sizeBytes)} bytes`],
            ['Evidence', block.evidence === 0 ? null : number(block.evidence)],
          ]}
        />
      </div>
      <h2>Transactions</h2>
      <Slices rows={block.list} name="transactions">
        {(rows) => <TxTable rows={rows} empty="No transactions in this block" />}
      </Slices>
      <h2>Signatures</h2>
      <Votes rows={block.signatures} />
      <h2>Block events</h2>
      <Slices rows={block.events} name="events">
        {(rows) => (
          <EventTable
            label="Block events"
            events={rows}
            empty={['No block events', 'The modules emitted no events at the begin and end of this block.']}
          />
        )}
      </Slices>
      <h2>Raw</h2>
      <Folded title="Ethereum JSON-RPC: eth_getBlockByNumber" value={block.ethereum} />
      <Folded title="CometBFT RPC: block" value={block.comet} />
      <Folded title="CometBFT RPC: block_results" value={block.results} />
    </>
  )
}

function Proposer({ block: { proposer, proposedBy } }: { block: FullBlock }) {
  return (
    <>
      {proposedBy === null ? null : <ValidatorLink {...proposedBy} />} <span class="mono break hint">{proposer}</span>
    </>
  )
}

function ValidatorLink({ moniker, operator }: { moniker: string; operator: string }) {
  return <a href={linkTo('address', operator, { tab: 'staking' })}>{moniker}</a>
}

const votes: Readonly<Record<BlockVote['vote'], Kind>> = { signed: 'good', nil: 'warn', absent: 'bad' }

function Votes({ rows }: { rows: readonly BlockVote[] }) {
  return (
    <Slices rows={rows} name="signatures">
      {(shown) => (
        <Table
          label="Signatures"
          rows={shown}
          keyOf={({ consensus }) => consensus}
          empty={['No signatures']}
          columns={[
            {
              title: 'Validator',
              show: ({ moniker, operator }) =>
                moniker === undefined || operator === undefined ? null : (
                  <ValidatorLink moniker={moniker} operator={operator} />
                ),
            },
            { title: 'Consensus address', show: ({ consensus }) => <Short text={consensus} head={12} /> },
            { title: 'Power', class: 'num', show: ({ power }) => number(power) },
            { title: 'Vote', show: ({ vote }) => <Pill kind={votes[vote]}>{vote}</Pill> },
          ]}
        />
      )}
    </Slices>
  )
}
