/** The validators with their voting power and signed blocks. */
import { number, percent, units } from '../core/format.ts'
import type { Validator } from '../core/shapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Pending, Pill } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

export function Validators() {
  const { data, error } = useData<readonly Validator[]>('/validators?blocks=60')
  if (data === undefined) return <Pending error={error} />
  const total = data.reduce((sum, { power }) => sum + power, 0)
  return (
    <Table
      label="Validators"
      rows={data}
      keyOf={({ operator }) => operator}
      empty={['No validators', 'The application of this chain has no staking module.']}
      columns={[
        { title: 'Name', show: ({ moniker }) => <strong>{moniker}</strong> },
        { title: 'Operator', show: ({ operator }) => <AddressLink address={operator} /> },
        {
          title: 'Status',
          show: ({ status, jailed }) => (
            <Pill kind={jailed ? 'bad' : status === 'bonded' ? 'good' : 'warn'}>{jailed ? 'jailed' : status}</Pill>
          ),
        },
        {
          title: 'Power',
          class: 'num',
          show: ({ power }) => `${number(power)} (${percent(total === 0 ? 0 : power / total)})`,
        },
        { title: 'Stake', class: 'num', show: ({ tokens }) => units(tokens) },
        { title: 'Commission', class: 'num', show: ({ commission }) => percent(Number(commission)) },
        { title: 'Signatures, last 60 blocks', show: ({ signed }) => <Signatures signed={signed} /> },
      ]}
    />
  )
}

function Signatures({ signed }: { signed: string }) {
  const missed = [...signed].filter((letter) => letter !== 's').length
  const told = `${signed.length - missed} of ${signed.length} blocks signed`
  return (
    <span class="signed" role="img" aria-label={told} title={told}>
      {[...signed].map((letter, index) => (
        <span key={index} class={{ s: 'yes', n: 'nil', a: 'no' }[letter] ?? ''} />
      ))}
    </span>
  )
}
