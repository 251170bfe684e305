/** The accounts whose private keys the node has. */
import { openFaucet } from './forms.tsx'
import { openKey } from './accountKey.tsx'
import { number, units } from '../core/format.ts'
import type { Account } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Copy, Pending, Short } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'

export function Accounts() {
  const { data, error } = useData<readonly Account[]>('/accounts')
  if (data === undefined) return <Pending error={error} />
  return (
    <Slices rows={data} name="from">
      {(rows) => (
        <Table
          label="Accounts"
          rows={rows}
          keyOf={({ ethereum }) => ethereum}
          empty={[
            'No accounts',
            <>
              Restart with <code>--accounts 10</code> to fund ten accounts.
            </>,
          ]}
          columns={[
            { title: 'Name', show: ({ name }) => name },
            {
              title: 'Ethereum',
              class: 'mono',
              show: ({ ethereum, name }) => (
                <>
                  <AddressLink address={ethereum} bare />{' '}
                  <Copy text={ethereum} what={`the Ethereum address of ${name}`} />
                </>
              ),
            },
            {
              title: 'Cosmos',
              class: 'mono',
              show: ({ cosmos, name }) => (
                <>
                  <Short text={cosmos} head={12} /> <Copy text={cosmos} what={`the Cosmos address of ${name}`} />
                </>
              ),
            },
            { title: 'Balance', class: 'num', show: ({ wei }) => <span title={`${wei} wei`}>{units(wei)}</span> },
            { title: 'Nonce', class: 'num', show: ({ nonce }) => number(nonce) },
            {
              title: '',
              show: ({ name, ethereum }) => (
                <span class="formrow">
                  <button type="button" class="small" data-key={`fund-${name}`} onClick={() => openFaucet(ethereum)}>
                    Fund<span class="hidden"> {name}</span>
                  </button>
                  <button type="button" class="small" data-key={`key-${name}`} onClick={() => void openKey(name)}>
                    Key…<span class="hidden"> {name}</span>
                  </button>
                </span>
              ),
            },
          ]}
        />
      )}
    </Slices>
  )
}
