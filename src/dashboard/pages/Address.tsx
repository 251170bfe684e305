/** One address: its assets, transactions and contract. */
import { coin } from '../core/live.ts'
import type { ComponentChildren } from 'preact'
import { openFaucet } from './forms.tsx'
import { type PageProps, linkTo } from '../core/router.ts'
import { number, units } from '../core/format.ts'
import type { AddressView } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Copy, Fields, Folded, Json, Pending, Pill } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'
import { Tabs, tabOf } from '../parts/Tabs.tsx'
import { Contract } from './Contract.tsx'
import { Logs } from './Events.tsx'
import { Storage } from './Storage.tsx'
import { PagedTransactions } from './Transactions.tsx'

export function Address({ id, query: { before } }: PageProps) {
  const { data, error } = useData<AddressView>(`/addresses/${encodeURIComponent(id)}`)
  if (data === undefined) return <Pending error={error} />
  const hasCode = data.codeHash !== null
  const isContract = hasCode || data.contract !== null
  const tabs: readonly (readonly [string, string])[] = [
    ['transactions', 'Transactions'],
    ['assets', 'Assets'],
    ...(isContract
      ? ([
          ['contract', 'Contract'],
          ['logs', 'Logs'],
        ] as const)
      : []),
    ...(hasCode
      ? ([
          ['storage', 'Storage'],
          ['code', 'Code'],
        ] as const)
      : []),
    ['staking', 'Staking'],
    ['raw', 'Raw'],
  ]
  const tab = tabOf(tabs)
  const views: Readonly<Record<string, () => ComponentChildren>> = {
    transactions: () => (
      <PagedTransactions
        path={`/addresses/${data.ethereum}/transactions`}
        page="address"
        id={id}
        tab="transactions"
        before={before}
      />
    ),
    assets: () => <Assets data={data} />,
    contract: () => <Contract data={data} />,
    logs: () => (
      <Logs
        address={data.ethereum}
        before={before}
        link={(query) => linkTo('address', id, { tab: 'logs', ...query })}
      />
    ),
    storage: () => <Storage address={data.ethereum} />,
    code: () => <Json value={data.code} label="Code" />,
    staking: () => <Staking data={data} />,
    raw: () => (
      <>
        <Folded title="Cosmos REST: account" value={data.account} />
        <Folded title="Cosmos REST: balances" value={data.coins} />
      </>
    ),
  }
  return (
    <>
      <Facts data={data} />
      <Tabs tabs={tabs} label="Address views" />
      <section id="tabpanel" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {views[tab]?.()}
      </section>
    </>
  )
}

function Facts({ data }: { data: AddressView }) {
  const { ethereum, cosmos, label, hasKey, wei, nonce, codeHash, code, contract, account } = data
  const sequence = account?.account?.['sequence']
  const spelled = (text: string, what: string) => (
    <span class="mono break">
      {text} <Copy text={text} what={what} />
    </span>
  )
  return (
    <div class="card">
      <Fields
        pairs={[
          [
            'Label',
            label === null ? null : (
              <>
                <strong>{label}</strong> {hasKey ? <Pill kind="info">node account</Pill> : null}
              </>
            ),
          ],
          ['Ethereum', spelled(ethereum, 'the Ethereum address')],
          ['Cosmos', spelled(cosmos, 'the Cosmos address')],
          [
            'Balance',
            <>
              <strong>{units(wei)}</strong> {coin.value} <span class="hint">{wei} wei</span>{' '}
              <button type="button" class="small" onClick={() => openFaucet(ethereum)}>
                Fund…
              </button>
            </>,
          ],
          ['Nonce', number(nonce)],
          ['Sequence', sequence === undefined ? null : String(sequence)],
          [
            'Code',
            codeHash === null ? null : (
              <>
                {number((code.length - 2) / 2)} bytes {contract === null || contract.name === '' ? null : contract.name}
              </>
            ),
          ],
        ]}
      />
    </div>
  )
}

type Balance = {
  readonly contract: string
  readonly symbol: string
  readonly name: string
  readonly decimals: number
  readonly balance: string
}

function Assets({ data }: { data: AddressView }) {
  const tokens = useData<readonly Balance[]>(`/addresses/${data.ethereum}/tokens`, 'slowly')
  return (
    <>
      <h2>Coins</h2>
      <Table
        label="Coins"
        rows={data.coins?.balances ?? []}
        keyOf={({ denom }) => denom}
        empty={['No coins', 'Use the faucet to mint test tokens.']}
        columns={[
          { title: 'Denom', show: ({ denom }) => denom },
          { title: 'Amount', class: 'num', show: ({ amount }) => amount },
        ]}
      />
      <h2>Tokens</h2>
      <Table
        label="Tokens"
        rows={tokens.data ?? []}
        keyOf={({ contract }) => contract}
        empty={['No tokens', 'ERC-20 balances appear here.']}
        columns={[
          { title: 'Token', show: ({ symbol, name }) => `${name} (${symbol})` },
          { title: 'Contract', show: ({ contract }) => <AddressLink address={contract} /> },
          { title: 'Balance', class: 'num', show: ({ balance, decimals }) => units(balance, decimals) },
        ]}
      />
    </>
  )
}

function Staking({ data }: { data: AddressView }) {
  return (
    <>
      <Table
        label="Delegations"
        rows={data.delegations?.delegation_responses ?? []}
        keyOf={({ delegation }) => delegation.validator_address}
        empty={['No delegations', 'Delegate through the staking module or its precompile.']}
        columns={[
          {
            title: 'Validator',
            show: ({ delegation }) => <AddressLink address={delegation.validator_address} />,
          },
          { title: 'Stake', class: 'num', show: ({ balance }) => units(balance.amount) },
        ]}
      />
      <Folded title="Rewards" value={data.rewards} />
    </>
  )
}
