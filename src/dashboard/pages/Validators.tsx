/** The validators with their voting power and signed blocks. */
import { linkTo } from '../core/router.ts'
import { number, percent, units } from '../core/format.ts'
import type { Validator } from '../core/stakingShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Pending, Pill } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'

export function Validators() {
  const { data, error } = useData<readonly Validator[]>('/validators?blocks=60')
  if (data === undefined) return <Pending error={error} />
  const total = data.reduce((sum, { power }) => sum + power, 0)
  return (
    <Slices rows={data} name="from">
      {(rows) => (
        <Table
          label="Validators"
          rows={rows}
          keyOf={({ operator }) => operator}
          empty={['No validators', 'The application of this chain has no staking module.']}
          columns={[
            {
              title: 'Name',
              show: ({ moniker, operator }) => (
                <a href={linkTo('address', operator, { tab: 'staking' })} data-key={`validator-${operator}`}>
                  <strong>{moniker}</strong>
                </a>
              ),
            },
            { title: 'Operator', show: ({ operator }) => <AddressLink address={operator} /> },
            { title: 'Status', show: (one) => <ValidatorStatus {...one} /> },
            {
              title: 'Power',
              class: 'num',
              show: ({ power }) => `${number(power)} (${percent(total === 0 ? 0 : power / total)})`,
            },
            { title: 'Stake', class: 'num', show: ({ tokens }) => units(tokens) },
            { title: 'Commission', class: 'num', show: ({ commission }) => percent(Number(commission)) },
            { title: 'Missed blocks', class: 'num', show: ({ missed }) => number(missed) },
            { title: 'Signatures, last 60 blocks', show: ({ signed }) => <Signatures signed={signed} /> },
          ]}
        />
      )}
    </Slices>
  )
}

export function ValidatorStatus({ status, jailed, tombstoned }: Pick<Validator, 'status' | 'jailed' | 'tombstoned'>) {
  const text = tombstoned ? 'tombstoned' : jailed ? 'jailed' : status
  return <Pill kind={jailed ? 'bad' : status === 'bonded' ? 'good' : 'warn'}>{text}</Pill>
}

export function Signatures({ signed }: { signed: string }) {
  const expected = signed.trimStart()
  const count = [...expected].filter((letter) => letter === 's').length
  const told = `${count} of ${expected.length} blocks signed`
  return (
    <span class="signed" role="img" aria-label={told} title={told}>
      {[...signed].map((letter, index) => (
        <span key={index} class={{ s: 'yes', n: 'nil', a: 'no' }[letter] ?? ''} />
      ))}
    </span>
  )
}
