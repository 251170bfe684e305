/** The contracts of the chain, and its tokens with their metadata. */
import { openAbi } from './forms.tsx'
import { type PageProps, linkTo } from '../core/router.ts'
import { number, units } from '../core/format.ts'
import type { ContractRow } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { pageSize } from '../parts/PageLinks.tsx'
import { AddressLink, Pending } from '../parts/basics.tsx'
import { Pager } from '../parts/Pager.tsx'
import { Table } from '../parts/Table.tsx'

type Rows = { readonly rows: readonly ContractRow[]; readonly next: string | null }

export function Contracts({ query: { after } }: PageProps) {
  const { data, error } = useData<Rows>(
    `/contracts?limit=${pageSize}${after === undefined ? '' : `&after=${after}`}`,
    'slowly',
  )
  if (data === undefined) return <Pending error={error} />
  return (
    <>
      <div class="formrow">
        <button type="button" onClick={openAbi}>
          Add an ABI…
        </button>
      </div>
      <Table
        label="Contracts"
        rows={data.rows}
        keyOf={({ ethereum }) => ethereum}
        empty={['No contracts', 'Deploy a contract to see it here after the next block.']}
        columns={[
          { title: 'Address', show: ({ ethereum }) => <AddressLink address={ethereum} /> },
          { title: 'ABI', show: ({ name }) => name || null },
          {
            title: 'Token',
            show: ({ ethereum, token }) =>
              token === null ? null : (
                <a href={linkTo('token', ethereum)}>
                  {token.name} ({token.symbol})
                </a>
              ),
          },
          { title: 'Balance', class: 'num', show: ({ wei }) => units(wei) },
          { title: 'Code (bytes)', class: 'num', show: ({ size }) => number(size) },
          { title: 'Slots', class: 'num', show: ({ slots }) => number(slots) },
        ]}
      />
      <Pager
        newest={after === undefined ? undefined : linkTo('contracts')}
        older={data.next === null ? undefined : linkTo('contracts', '', { after: data.next })}
        names={['First', 'Previous', 'Next', 'Last']}
      />
    </>
  )
}
