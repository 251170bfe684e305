/** The governance proposals with their votes. */
import { moment, units } from '../core/format.ts'
import { linkTo } from '../core/router.ts'
import type { Proposal } from '../core/stakingShapes.ts'
import { useData } from '../core/useData.ts'
import { Pending, Pill, type Kind } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'

const kinds: Readonly<Record<string, Kind>> = {
  passed: 'good',
  rejected: 'bad',
  failed: 'bad',
  'voting period': 'info',
}

/** The status of a proposal as a colored word. */
export function ProposalStatus({ status }: Pick<Proposal, 'status'>) {
  const name = status.replace('PROPOSAL_STATUS_', '').replaceAll('_', ' ').toLowerCase()
  return <Pill kind={kinds[name] ?? ''}>{name}</Pill>
}

export function Proposals() {
  const { data, error } = useData<readonly Proposal[]>('/proposals')
  if (data === undefined) return <Pending error={error} />
  return (
    <Slices rows={data} name="from">
      {(rows) => (
        <Table
          label="Proposals"
          rows={rows}
          keyOf={({ id }) => id}
          empty={['No proposals', 'Submit one through the gov module or its precompile.']}
          columns={[
            { title: 'No.', class: 'num', show: ({ id }) => id },
            {
              title: 'Title',
              class: 'wrap',
              show: ({ id, title }) => (
                <a href={linkTo('proposal', id)} data-key={`proposal-${id}`}>
                  {title === '' ? `Proposal ${id}` : title}
                </a>
              ),
            },
            { title: 'Status', show: ({ status }) => <ProposalStatus status={status} /> },
            { title: 'Voting ends', show: ({ voting_end_time: end }) => moment(end) },
            {
              title: 'Yes / no / veto / abstain',
              class: 'num',
              show: ({ tally }) =>
                [tally.yes_count, tally.no_count, tally.no_with_veto_count, tally.abstain_count]
                  .map((count) => units(count))
                  .join(' / '),
            },
          ]}
        />
      )}
    </Slices>
  )
}
