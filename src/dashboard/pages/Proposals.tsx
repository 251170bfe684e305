/** Governance proposals with their votes. */
import { moment, units } from '../core/format.ts'
import { beat } from '../core/live.ts'
import { call } from '../core/api.ts'
import { useEffect, useState } from 'preact/hooks'
import { Folded, Pending, Pill, type Kind } from '../parts/basics.tsx'
import { Table } from '../parts/Table.tsx'

type Proposal = {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly status: string
  readonly voting_end_time: string | null
  readonly final_tally_result: Readonly<
    Record<'yes_count' | 'no_count' | 'abstain_count' | 'no_with_veto_count', string>
  >
}

const kinds: Readonly<Record<string, Kind>> = {
  passed: 'good',
  rejected: 'bad',
  failed: 'bad',
  'voting period': 'info',
}

export function Proposals() {
  const [found, setFound] = useState<readonly Proposal[]>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    call<{ proposals: readonly Proposal[] }>(
      'rest',
      '/cosmos/gov/v1/proposals?pagination.limit=200&pagination.reverse=true',
    ).then(
      ({ proposals }) => setFound(proposals),
      (failure: Error) => setError(failure.message),
    )
  }, [beat.value])
  if (found === undefined) return <Pending error={error} />
  return (
    <Table
      label="Proposals"
      rows={found}
      keyOf={({ id }) => id}
      empty={['No proposals', 'Submit one with the gov module, or with its precompile.']}
      columns={[
        { title: 'No.', class: 'num', show: ({ id }) => id },
        { title: 'Title', class: 'wrap', show: ({ title }) => title },
        {
          title: 'Status',
          show: ({ status }) => {
            const name = status.replace('PROPOSAL_STATUS_', '').replaceAll('_', ' ').toLowerCase()
            return <Pill kind={kinds[name] ?? ''}>{name}</Pill>
          },
        },
        { title: 'Voting ends', show: ({ voting_end_time: end }) => moment(end) },
        {
          title: 'Yes / no / veto / abstain',
          class: 'num',
          show: ({ final_tally_result: tally }) =>
            [tally.yes_count, tally.no_count, tally.no_with_veto_count, tally.abstain_count]
              .map((count) => units(count))
              .join(' / '),
        },
        { title: '', class: 'wrap', show: (one) => <Folded title="All" value={one} /> },
      ]}
    />
  )
}
