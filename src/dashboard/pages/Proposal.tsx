/** One governance proposal: its tally, votes and messages. */
import { post } from '../core/api.ts'
import { coinText } from '../core/coins.ts'
import { moment, units } from '../core/format.ts'
import { coin, refresh } from '../core/live.ts'
import type { PageProps } from '../core/router.ts'
import { run } from '../core/said.ts'
import type { FullProposal } from '../core/stakingShapes.ts'
import { useData } from '../core/useData.ts'
import { AddressLink, Empty, Fields, Folded, Pending } from '../parts/basics.tsx'
import { Slices } from '../parts/PageLinks.tsx'
import { Table } from '../parts/Table.tsx'
import { AccountField } from './AccountField.tsx'
import { ProposalStatus } from './Proposals.tsx'

const govPrecompile = '0x0000000000000000000000000000000000000805'
/** Vote options by their number in the gov module. */
const choices = [
  ['1', 'Yes'],
  ['3', 'No'],
  ['4', 'No with veto'],
  ['2', 'Abstain'],
] as const

export function Proposal({ id }: PageProps) {
  const { data, error } = useData<FullProposal>(`/proposals/${encodeURIComponent(id)}`)
  if (data === undefined) return <Pending error={error} />
  const { tally, votes, deposits, messages } = data
  const share = (count: string) => `${units(count)} ${coin.value}`
  return (
    <>
      <div class="card">
        <Fields
          pairs={[
            ['Title', <strong>{data.title}</strong>],
            ['Status', <ProposalStatus status={data.status} />],
            ['Summary', data.summary],
            ['Proposer', <AddressLink address={data.proposer} whole />],
            ['Submitted', moment(data.submit_time)],
            ['Deposit ends', moment(data.deposit_end_time)],
            ['Voting ends', moment(data.voting_end_time)],
            ['Yes', share(tally.yes_count)],
            ['No', share(tally.no_count)],
            ['No with veto', share(tally.no_with_veto_count)],
            ['Abstain', share(tally.abstain_count)],
          ]}
        />
      </div>
      {data.status === 'PROPOSAL_STATUS_VOTING_PERIOD' ? <VoteForm id={id} /> : null}
      <h2>Messages</h2>
      {messages.length === 0 ? <Empty title="No messages: this is a text proposal" /> : null}
      {messages.map((message, index) => (
        <Folded key={index} title={String(message['@type'])} value={message} />
      ))}
      <h2>Votes</h2>
      <Slices rows={votes} name="votes">
        {(rows) => (
          <Table
            label="Votes"
            rows={rows}
            keyOf={({ voter }) => voter}
            empty={['No votes', 'The chain removes votes after the final tally.']}
            columns={[
              { title: 'Voter', show: ({ voter }) => <AddressLink address={voter} /> },
              { title: 'Options', class: 'wrap', show: ({ options }) => options.map(optionText).join(', ') },
            ]}
          />
        )}
      </Slices>
      <h2>Deposits</h2>
      <Slices rows={deposits} name="deposits">
        {(rows) => (
          <Table
            label="Deposits"
            rows={rows}
            keyOf={({ depositor }) => depositor}
            empty={['No deposits']}
            columns={[
              { title: 'Depositor', show: ({ depositor }) => <AddressLink address={depositor} /> },
              {
                title: 'Amount',
                class: 'num',
                show: ({ amount }) => amount.map(coinText).join(', '),
              },
            ]}
          />
        )}
      </Slices>
    </>
  )
}

function optionText({ option, weight }: FullProposal['votes'][number]['options'][number]): string {
  const name = option.replace('VOTE_OPTION_', '').replaceAll('_', ' ').toLowerCase()
  return Number(weight) === 1 ? name : `${name} ${Number(weight)}`
}

/** A form that votes through the gov precompile with one of the node's accounts. */
function VoteForm({ id }: { id: string }) {
  const vote = (form: HTMLFormElement) => {
    const fields = new FormData(form)
    const from = String(fields.get('from'))
    const args = [from, id, String(fields.get('option')), '']
    const body = { address: govPrecompile, signature: 'vote(address,uint64,uint8,string)', args, from }
    void run(post('/contracts/write', body).then(refresh), () => `Voted on proposal ${id}.`)
  }
  return (
    <form
      class="formrow voteform"
      aria-label="Vote"
      onSubmit={(event) => {
        event.preventDefault()
        vote(event.currentTarget)
      }}
    >
      <label>
        Vote
        <select name="option">
          {choices.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <AccountField label="As" />
      <button class="main">Vote</button>
    </form>
  )
}
