/** The coins and tokens of an address. */
import { coinText } from '../core/coins.ts'
import { units } from '../core/format.ts'
import { linkTo } from '../core/router.ts'
import type { AddressView } from '../core/addressShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'

type Balance = {
  readonly contract: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly balance: string
}

export function Assets({ data }: { data: AddressView }) {
  const tokens = useData<readonly Balance[]>(`/addresses/${data.ethereum}/tokens`, 'slowly')
  return (
    <>
      <h2>Coins</h2>
      <Slices rows={data.coins?.balances ?? []} name="coins">
        {(rows) => (
          <Table
            label="Coins"
            rows={rows}
            keyOf={({ denom }) => denom}
            empty={['No coins', 'Use the faucet to mint test tokens.']}
            columns={[
              { title: 'Denom', show: ({ denom }) => <a href={linkTo('token', denom)}>{denom}</a> },
              {
                title: 'Amount',
                class: 'num',
                show: (coin) => <span title={`${coin.amount} ${coin.denom}`}>{coinText(coin)}</span>,
              },
            ]}
          />
        )}
      </Slices>
      <h2>Tokens</h2>
      <Slices rows={tokens.data ?? []} name="tokens">
        {(rows) => (
          <Table
            label="Tokens"
            rows={rows}
            keyOf={({ contract }) => contract}
            empty={['No tokens', 'Balances of ERC-20 and ERC-721 contracts appear here.']}
            columns={[
              {
                title: 'Token',
                show: ({ contract, symbol, name }) => <a href={linkTo('token', contract)}>{`${name} (${symbol})`}</a>,
              },
              { title: 'Contract', show: ({ contract }) => <AddressLink address={contract} /> },
              { title: 'Balance', class: 'num', show: ({ balance, decimals }) => units(balance, decimals) },
            ]}
          />
        )}
      </Slices>
    </>
  )
}
