/** One token: its metadata, transfers and holders. */
import type { ComponentChildren } from 'preact'
import { number, percent, units } from '../core/format.ts'
import { type PageProps, linkTo } from '../core/router.ts'
import type { NumberedRows } from '../core/shapes.ts'
import type { FullToken, Transfer } from '../core/tokenShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, BlockLink, Copy, Fields, Pending, Pill, Short, TxLink } from '../parts/basics.tsx'
import {
  type Cursor,
  cursorQuery,
  isNewest,
  NumberedPager,
  SlicePager,
  firstRow,
  pageSize,
} from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { Tabs, tabOf } from '../parts/Tabs.tsx'

const tabs = [
  ['transfers', 'Transfers'],
  ['holders', 'Holders'],
] as const

export function Token({ id, query: { before, from } }: PageProps) {
  const { data, error } = useData<FullToken>(`/tokens/${encodeURIComponent(id)}`, 'slowly')
  if (data === undefined) return <Pending error={error} />
  const tab = tabOf(tabs)
  const views: Readonly<Record<string, () => ComponentChildren>> = {
    transfers: () => <Transfers id={id} token={data} cursor={{ before, from }} />,
    holders: () => <Holders id={id} token={data} from={firstRow(from)} />,
  }
  return (
    <>
      <Facts token={data} />
      <Tabs tabs={tabs} label="Token views" />
      <section id="tabpanel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {views[tab]?.()}
      </section>
    </>
  )
}

function Facts({ token }: { token: FullToken }) {
  const { kind, name, symbol, decimals, totalSupply, address, denom, pair } = token
  return (
    <div class="card">
      <Fields
        pairs={[
          ['Name', <strong>{name}</strong>],
          ['Symbol', symbol],
          ['Kind', <Pill kind="info">{kind === 'denom' ? 'Cosmos denom' : kind}</Pill>],
          [
            'Contract',
            address === null ? null : (
              <>
                <AddressLink address={address} whole /> <Copy text={address} what="the address of the token" />
              </>
            ),
          ],
          [
            'Denom',
            denom === null ? null : address === null ? (
              <span class="mono break">
                {denom} <Copy text={denom} what="the denom" />
              </span>
            ) : (
              <a href={linkTo('token', denom)}>{denom}</a>
            ),
          ],
          [
            'Pair',
            pair === null ? null : (
              <>
                {address === null ? (
                  <a class="mono break" href={linkTo('token', pair.erc20)}>
                    {pair.erc20}
                  </a>
                ) : (
                  'ERC-20 of the denom'
                )}{' '}
                <Pill kind={pair.enabled ? 'good' : 'warn'}>{pair.enabled ? 'enabled' : 'disabled'}</Pill>
              </>
            ),
          ],
          ['Description', kind === 'denom' ? token.description : null],
          ['Decimals', number(decimals)],
          ['Supply', `${units(totalSupply, decimals)} ${symbol === '?' ? '' : symbol}`],
        ]}
      />
    </div>
  )
}

type Part = { readonly id: string; readonly token: FullToken }

function Transfers({ id, token, cursor }: Part & { cursor: Cursor }) {
  const path = `/tokens/${encodeURIComponent(id)}/transfers?limit=${pageSize}${cursorQuery(cursor)}`
  const { data, error } = useData<NumberedRows<Transfer>>(path, isNewest(cursor))
  if (data === undefined) return <Pending error={error} />
  const hasIds = token.kind === 'ERC-721' || token.kind === 'ERC-1155'
  const party = (address: string) =>
    /^0x0{40}$/.test(address) ? <span class="hint">none</span> : <AddressLink address={address} />
  return (
    <>
      <NumberedPager cursor={cursor} {...data} link={(query) => linkTo('token', id, { tab: 'transfers', ...query })} />
      <Table
        label="Transfers"
        rows={data.rows}
        keyOf={({ transaction, index }) => `${transaction}/${index}`}
        empty={['No transfers', 'Transfers of this token appear here, newest first.']}
        columns={[
          { title: 'Block', class: 'num', show: ({ height }) => <BlockLink height={height} /> },
          { title: 'Transaction', show: ({ transaction }) => <TxLink hash={transaction} /> },
          { title: 'From', show: ({ from }) => party(from) },
          { title: 'To', show: ({ to }) => party(to) },
          ...(hasIds
            ? [{ title: 'ID', class: 'num', show: ({ id: one }: Transfer) => <Short text={one ?? ''} /> }]
            : []),
          { title: 'Amount', class: 'num', show: ({ value }) => units(value, token.decimals) },
        ]}
      />
    </>
  )
}

/** A share that would be shown as 0% though it is not. */
const shareText = (share: number) => (share > 0 && share < 0.0005 ? '<0.1%' : percent(share))

type Holder = { readonly address: string; readonly amount: string }
type HolderRows = { readonly total: number; readonly rows: readonly Holder[] }

function Holders({ id, token, from }: Part & { from: number }) {
  const path = `/tokens/${encodeURIComponent(id)}/holders?from=${from}&limit=${pageSize}`
  const { data, error } = useData<HolderRows>(path, 'slowly')
  if (data === undefined) return <Pending error={error} />
  const supply = Number(token.totalSupply)
  return (
    <>
      <SlicePager from={from} total={data.total} link={(query) => linkTo('token', id, { tab: 'holders', ...query })} />
      <Table
        label="Holders"
        rows={data.rows}
        keyOf={({ address }) => address}
        empty={['No holders', 'The holders of a contract are those of its transfer events.']}
        columns={[
          { title: 'Holder', show: ({ address }) => <AddressLink address={address} /> },
          { title: 'Amount', class: 'num', show: ({ amount }) => units(amount, token.decimals) },
          {
            title: 'Share',
            class: 'num',
            show: ({ amount }) => (supply === 0 ? null : shareText(Number(amount) / supply)),
          },
        ]}
      />
    </>
  )
}
