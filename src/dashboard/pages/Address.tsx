/** One address: its assets, transactions and contract. */
import { coin } from '../core/live.ts'
import type { ComponentChildren } from 'preact'
import { openFaucet } from './forms.tsx'
import type { PageProps } from '../core/router.ts'
import { number, units } from '../core/format.ts'
import type { AddressView } from '../core/addressShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Fields, Folded, Json, Pending, Pill, CopyableText } from '../parts/basics.tsx'
import { firstRow } from '../parts/PageLinks.tsx'
import { Tabs, tabOf } from '../parts/Tabs.tsx'
import { Contract } from './Contract.tsx'
import { Assets } from './Assets.tsx'
import { ContractLogs } from './Events.tsx'
import { Staking } from './Staking.tsx'
import { Storage } from './Storage.tsx'
import { PagedTransactions } from './Transactions.tsx'
import { ValidatorStatus } from './Validators.tsx'

export function Address({ id, query }: PageProps) {
  const { before, from } = query
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
        cursor={{ before, from }}
      />
    ),
    assets: () => <Assets data={data} />,
    contract: () => <Contract data={data} />,
    logs: () => <ContractLogs id={id} address={data.ethereum} query={query} />,
    storage: () => <Storage id={id} address={data.ethereum} from={firstRow(from)} />,
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
          ['Ethereum', <CopyableText text={ethereum} what="the Ethereum address" />],
          ['Cosmos', <CopyableText text={cosmos} what="the Cosmos address" />],
          [
            'Balance',
            <>
              <strong>{units(wei)}</strong> {coin.value} <span class="hint">{wei} wei</span>{' '}
              <button type="button" class="small" onClick={() => openFaucet(ethereum)}>
                Fund…
              </button>
            </>,
          ],
          [
            'Validator',
            data.validatorFacts === null ? null : (
              <>
                <strong>{data.validatorFacts.moniker}</strong> <ValidatorStatus {...data.validatorFacts} />
              </>
            ),
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
          ['Implementation', data.implementation === null ? null : <AddressLink address={data.implementation} />],
        ]}
      />
    </div>
  )
}
