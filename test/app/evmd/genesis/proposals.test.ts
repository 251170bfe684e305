/** Proposals of x/gov with deposits and votes in a genesis document. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { start } from '../../../../src/index.ts'

type Balance = { address: string; coins: readonly object[] }
type Document = {
  app_state: {
    bank: { balances: Balance[]; supply: readonly object[] }
    gov: Record<string, unknown>
  }
}

const module = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
const depositor = 'cosmos1jcltmuhplrdcwp7stlr4hlhlhgd4htqhnu0t2g'
const validator = 'cosmos10jmp6sgh4cc6zt3e8gw05wavvejgr5pwsjskvv'
const coins = (amount: string) => [{ denom: 'atest', amount }]

const waiting = {
  id: '4',
  messages: [],
  status: 'PROPOSAL_STATUS_DEPOSIT_PERIOD',
  final_tally_result: { yes_count: '0', abstain_count: '0', no_count: '0', no_with_veto_count: '0' },
  submit_time: '2026-11-21T02:36:00Z',
  deposit_end_time: '2026-11-21T02:40:00.500Z',
  total_deposit: coins('70'),
  voting_start_time: null,
  voting_end_time: null,
  metadata: 'none',
  title: 'Waiting',
  summary: 'It waits for deposits.',
  proposer: depositor,
  expedited: false,
  failed_reason: '',
}
const voting = {
  ...waiting,
  id: '7',
  messages: [
    {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: module,
      to_address: validator,
      amount: coins('1'),
    },
  ],
  status: 'PROPOSAL_STATUS_VOTING_PERIOD',
  total_deposit: coins('30'),
  voting_start_time: '2026-11-21T02:36:10Z',
  voting_end_time: '2026-11-21T02:50:00Z',
  title: 'Voting',
}
const finished = { ...voting, id: '2', status: 'PROPOSAL_STATUS_PASSED', title: 'Finished' }
const deposits = [
  { proposal_id: '4', depositor, amount: coins('70') },
  { proposal_id: '7', depositor, amount: coins('30') },
]
const votes = [
  {
    proposal_id: '7',
    voter: validator,
    options: [
      { option: 'VOTE_OPTION_YES', weight: '0.700000000000000000' },
      { option: 'VOTE_OPTION_ABSTAIN', weight: '0.300000000000000000' },
    ],
    metadata: 'why not',
  },
]
const all = { starting_proposal_id: '8', proposals: [finished, waiting, voting], deposits, votes }

/** Returns a document with entries of x/gov; the account of the module holds `held` atest. */
function documentWith(gov: object, held = '100'): string {
  const document = JSON.parse(readFileSync('genesis/evmd.json', 'utf8')) as Document
  const { bank } = document.app_state
  bank.balances.push({ address: module, coins: coins(held) })
  bank.supply = []
  Object.assign(document.app_state.gov, all, gov)
  return JSON.stringify(document)
}

test('proposals of the genesis are loaded with their deposits and votes, and end at their times', async (t) => {
  await using server = await start({ ports: 'free', genesis: documentWith({}) })
  const ask = async <Answer>(path: string): Promise<Answer> => {
    const response = await fetch(`${server.urls.rest}/cosmos/gov/v1/proposals${path}`)
    return (await response.json()) as Answer
  }
  const statuses = async () => {
    const { proposals } = await ask<{ proposals: { id: string; status: string }[] }>('')
    return proposals.map(({ id, status }) => `${id} ${status.replace('PROPOSAL_STATUS_', '')}`)
  }
  const mineAt = (time: string) =>
    server.eth.request({ method: 'evm_mine', params: [`0x${(Date.parse(time) / 1000).toString(16)}`] })
  const { proposals } = await ask<{ proposals: object[] }>('')
  t.deepEqual(proposals, [finished, waiting, voting])
  t.like(await ask('/4/deposits'), { deposits: [deposits[0]] })
  t.like(await ask('/7/votes'), { votes })
  await mineAt('2026-11-21T02:40:00Z')
  t.deepEqual(await statuses(), ['2 PASSED', '4 DEPOSIT_PERIOD', '7 VOTING_PERIOD'])
  await mineAt('2026-11-21T02:40:01Z')
  t.deepEqual(await statuses(), ['2 PASSED', '7 VOTING_PERIOD'])
  await mineAt('2026-11-21T02:50:00Z')
  t.deepEqual(await statuses(), ['2 PASSED', '7 FAILED'])
})

const refused = test.macro(async (t, genesis: string, message: string) => {
  const error = await t.throwsAsync(start({ ports: 'none', genesis }), { code: 'INVALID_GENESIS' })
  t.true(error?.message.startsWith(`genesis: ${message}`), error?.message)
})

test(
  'deposits that the account of the module does not hold are refused, as on the node',
  refused,
  documentWith({}, '99'),
  'app_state.gov.deposits must be in sum what the account gov holds: 99atest, not 100atest',
)
test(
  'a proposal in its voting period without an end is refused with its place',
  refused,
  documentWith({ proposals: [waiting, { ...voting, voting_end_time: null }] }),
  'app_state.gov.proposals[1].voting_end_time must be a time in RFC 3339',
)
test(
  'a proposal in its deposit period without an end is refused with its place',
  refused,
  documentWith({ proposals: [{ ...waiting, deposit_end_time: null }] }),
  'app_state.gov.proposals[0].deposit_end_time must be a time in RFC 3339',
)
test(
  'a proposal with an unknown status is refused with its place',
  refused,
  documentWith({ proposals: [{ ...waiting, status: 'WAITING' }] }),
  'app_state.gov.proposals[0] must be a cosmos.gov.v1.Proposal: unknown value "WAITING" for enum',
)
test(
  'a proposal of something that is no message is refused with its place',
  refused,
  documentWith({ proposals: [{ ...waiting, messages: [{ '@type': '/cosmos.bank.v1beta1.SendAuthorization' }] }] }),
  'app_state.gov.proposals[0].messages[0] must be a message that evmd executes, not /cosmos.bank.v1beta1.Send',
)
test(
  'a vote without a voter is refused with its place',
  refused,
  documentWith({ votes: [{ ...votes[0], voter: '' }] }),
  'app_state.gov.votes[0].voter must be a cosmos address',
)
test(
  'a deposit of a depositor that is no address is refused with its place',
  refused,
  documentWith({ deposits: [{ ...deposits[0], depositor: 'me' }] }),
  'app_state.gov.deposits[0].depositor must be a cosmos address',
)
