/** The tokens of the chain: contracts of the ERC standards, and Cosmos denoms. */
import type { ComponentChildren } from 'preact'
import { number, units } from '../core/format.ts'
import { type PageProps, linkTo } from '../core/router.ts'
import type { Denom, TokenRow } from '../core/tokenShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Pending, Pill, Short } from '../parts/basics.tsx'
import { Pager } from '../parts/Pager.tsx'
import { Slices, pageSize } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { Tabs, tabOf } from '../parts/Tabs.tsx'

const tabs = [
  ['contracts', 'Contracts'],
  ['denoms', 'Cosmos denoms'],
] as const

export function Tokens({ query }: PageProps) {
  const tab = tabOf(tabs)
  const views: Readonly<Record<string, () => ComponentChildren>> = {
    contracts: () => <TokenContracts after={query['after']} />,
    denoms: () => <Denoms />,
  }
  return (
    <>
      <Tabs tabs={tabs} label="Kinds of tokens" />
      <section id="tabpanel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {views[tab]?.()}
      </section>
    </>
  )
}

type Rows = { readonly rows: readonly TokenRow[]; readonly next: string | null }

function TokenContracts({ after }: { after: string | undefined }) {
  const { data, error } = useData<Rows>(
    `/tokens?limit=${pageSize}${after === undefined ? '' : `&after=${after}`}`,
    'slowly',
  )
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <Table
        label="Tokens"
        rows={data.rows}
        keyOf={({ address }) => address}
        empty={['No tokens', 'Deploy an ERC-20, ERC-721 or ERC-1155 contract to see it here after the next block.']}
        columns={[
          { title: 'Token', show: (one) => <TokenLink id={one.address} {...one} /> },
          { title: 'Kind', show: ({ kind }) => <Pill kind="info">{kind}</Pill> },
          { title: 'Contract', show: ({ address }) => <AddressLink address={address} /> },
          { title: 'Supply', class: 'num', show: ({ totalSupply, decimals }) => units(totalSupply, decimals) },
          {
            title: 'Denom',
            show: ({ denom }) => (denom === null ? null : <a href={linkTo('token', denom)}>{denom}</a>),
          },
        ]}
      />
      <Pager
        newest={after === undefined ? undefined : linkTo('tokens')}
        older={data.next === null ? undefined : linkTo('tokens', '', { after: data.next })}
        names={['First', 'Previous', 'Next', 'Last']}
      />
    </>
  )
}

function TokenLink({ id, name, symbol }: { id: string; name: string; symbol: string }) {
  return (
    <a href={linkTo('token', id)} data-key={`token-${id}`}>
      {name === symbol ? <Short text={name} head={12} /> : `${name} (${symbol})`}
    </a>
  )
}

function Denoms() {
  const { data, error } = useData<readonly Denom[]>('/denoms', 'slowly')
  if (data === undefined) return <Pending error={error} />
  return (
    <Slices rows={data} name="from">
      {(rows) => (
        <Table
          label="Cosmos denoms"
          rows={rows}
          keyOf={({ denom }) => denom}
          empty={['No denoms', 'The application of this chain has no bank module.']}
          columns={[
            { title: 'Token', show: (one) => <TokenLink id={one.denom} {...one} /> },
            { title: 'Denom', show: ({ denom }) => <Short text={denom} head={16} /> },
            { title: 'Decimals', class: 'num', show: ({ decimals }) => number(decimals) },
            { title: 'Supply', class: 'num', show: ({ totalSupply, decimals }) => units(totalSupply, decimals) },
            {
              title: 'ERC-20 contract',
              show: ({ pair }) => (pair === null ? null : <AddressLink address={pair.erc20} />),
            },
          ]}
        />
      )}
    </Slices>
  )
}
