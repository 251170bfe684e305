/** Changes of coins and stake that a transaction made, as its events report them. */
import { coinText } from '../core/coins.ts'
import type { ModuleChange } from '../core/shapes.ts'
import { AddressLink } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

export function ModuleChanges({ changes }: { changes: readonly ModuleChange[] }) {
  return (
    <>
      <h2>Coins and stake</h2>
      <Table
        label="Coins and stake"
        rows={changes}
        keyOf={({ address, denom, validator }) => `${address} ${denom} ${validator}`}
        empty={['No changes', 'No event of this transaction reports a change of coins or stake.']}
        columns={[
          { title: 'Address', show: ({ address }) => <AddressLink address={address} /> },
          {
            title: 'What',
            show: ({ validator }) =>
              validator === null ? (
                'coins'
              ) : (
                <>
                  stake with <AddressLink address={validator} />
                </>
              ),
          },
          { title: 'Change', class: 'num', show: ({ amount, denom }) => signed(coinText({ amount, denom })) },
        ]}
      />
    </>
  )
}

const signed = (text: string) => (/^[-−>]/.test(text) ? text.replace('-', '−') : `+${text}`)
