/** The stake of an address: its validator, delegations, unbonding stake and rewards. */
import { coinText } from '../core/coins.ts'
import { moment, number, percent, units } from '../core/format.ts'
import { coin } from '../core/live.ts'
import type { AddressView } from '../core/addressShapes.ts'
import type { Validator } from '../core/stakingShapes.ts'
import { AddressLink, Fields } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { Signatures, ValidatorStatus } from './Validators.tsx'

export function Staking({ data }: { data: AddressView }) {
  const { validatorFacts } = data
  return (
    <>
      {validatorFacts === null ? null : <ValidatorFacts validator={validatorFacts} />}
      <Delegations data={data} />
      <Unbonding data={data} />
      <Rewards data={data} />
    </>
  )
}

function ValidatorFacts({ validator }: { validator: Validator }) {
  const { moniker, operator, consensus, power, tokens, commission, missed, signed, jailed, jailedUntil } = validator
  return (
    <>
      <h2>Validator</h2>
      <div class="card">
        <Fields
          pairs={[
            ['Name', <strong>{moniker}</strong>],
            ['Status', <ValidatorStatus {...validator} />],
            ['Jailed until', jailed && jailedUntil !== null ? `${moment(jailedUntil)} UTC` : null],
            ['Operator', <span class="mono break">{operator}</span>],
            ['Consensus address', <span class="mono break">{consensus}</span>],
            ['Power', number(power)],
            ['Stake', `${units(tokens)} ${coin.value}`],
            ['Commission', percent(Number(commission))],
            ['Missed blocks', `${number(missed)} in the current slashing window`],
            [`Signatures, last ${number(signed.length)} blocks`, signed === '' ? null : <Signatures signed={signed} />],
          ]}
        />
      </div>
    </>
  )
}

function Delegations({ data }: { data: AddressView }) {
  return (
    <>
      <h2>Delegations</h2>
      <Slices rows={data.delegations?.delegation_responses ?? []} name="delegations">
        {(rows) => (
          <Table
            label="Delegations"
            rows={rows}
            keyOf={({ delegation }) => delegation.validator_address}
            empty={['No delegations', 'Delegate through the staking module or its precompile.']}
            columns={[
              {
                title: 'Validator',
                show: ({ delegation }) => <AddressLink address={delegation.validator_address} />,
              },
              { title: 'Stake', class: 'num', show: ({ balance }) => coinText(balance) },
            ]}
          />
        )}
      </Slices>
    </>
  )
}

function Unbonding({ data }: { data: AddressView }) {
  const all = (data.unbonding?.unbonding_responses ?? []).flatMap(({ validator_address: validator, entries }) =>
    entries.map((entry, index) => ({ ...entry, validator, index })),
  )
  return (
    <>
      <h2>Unbonding</h2>
      <Slices rows={all} name="unbonding">
        {(rows) => (
          <Table
            label="Unbonding"
            rows={rows}
            keyOf={({ validator, index }) => `${validator}/${index}`}
            empty={['No unbonding stake', 'Stake that is undelegated appears here until it is paid out.']}
            columns={[
              { title: 'Validator', show: ({ validator }) => <AddressLink address={validator} /> },
              { title: 'Completes (UTC)', show: ({ completion_time: time }) => moment(time) },
              { title: 'Stake', class: 'num', show: ({ balance }) => `${units(balance)} ${coin.value}` },
            ]}
          />
        )}
      </Slices>
    </>
  )
}

function Rewards({ data }: { data: AddressView }) {
  const rewarded = (data.rewards?.rewards ?? []).filter(({ reward }) => reward.length > 0)
  return (
    <>
      <h2>Rewards</h2>
      <Slices rows={rewarded} name="rewards">
        {(rows) => (
          <Table
            label="Rewards"
            rows={rows}
            keyOf={({ validator_address: validator }) => validator}
            empty={['No rewards', 'Rewards of delegations that have not been withdrawn appear here.']}
            columns={[
              { title: 'Validator', show: ({ validator_address: validator }) => <AddressLink address={validator} /> },
              {
                title: 'Reward',
                class: 'num',
                // Rewards are decimal coins; their fraction is below one base unit.
                show: ({ reward }) =>
                  reward.map((one) => coinText({ ...one, amount: one.amount.split('.')[0] ?? '0' })).join(', '),
              },
            ]}
          />
        )}
      </Slices>
    </>
  )
}
