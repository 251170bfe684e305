import { toBech32 } from '@cosmjs/encoding'
import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgCommunityPoolSpend, MsgFundCommunityPool } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import {
  MsgCancelProposal,
  MsgDeposit,
  MsgSubmitProposal,
  MsgVote,
  MsgVoteWeighted,
} from 'cosmjs-types/cosmos/gov/v1/tx'
import { TextProposal } from 'cosmjs-types/cosmos/gov/v1beta1/gov'
import { MsgSubmitProposal as OldSubmit, MsgVoteWeighted as OldVoteWeighted } from 'cosmjs-types/cosmos/gov/v1beta1/tx'
import { MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import { MsgDelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { createHash } from 'node:crypto'
import { any, type MessageChain, person } from '../../../helpers/messageChain.ts'
import { operatorsOf, quickChain } from '../../../helpers/randomMessages.ts'

const [alice, bob, carol] = [person(0), person(1), person(2)]
const authority = toBech32('cosmos', createHash('sha256').update('gov').digest().subarray(0, 20))
const token = 10n ** 18n
const coins = (amount: bigint) => [{ denom: 'atest', amount: amount.toString() }]

/** Alice holds 5,000 tokens of power beside the 3,000 of the validators. */
function start(): MessageChain {
  const chain = quickChain()
  const stake = {
    delegatorAddress: alice.address,
    validatorAddress: operatorsOf(chain)[0] ?? '',
    amount: coins(5000n * token)[0],
  }
  const { code, log } = chain.send(alice, any(MsgDelegate, stake))
  if (code !== 0) throw new Error(log)
  return chain
}

function submit(chain: MessageChain, messages: readonly Any[], more: Record<string, unknown> = {}) {
  return chain.send(
    bob,
    any(MsgSubmitProposal, {
      proposer: bob.address,
      title: 'title',
      summary: 'summary',
      metadata: 'more',
      messages: [...messages],
      initialDeposit: coins(1000n),
      ...more,
    }),
  )
}

test('a proposal is stored without what its proposer need not have written', (t) => {
  const chain = start()
  const spend = any(MsgCommunityPoolSpend, { authority, recipient: bob.address, amount: coins(1n) })
  // An authority that another replaces.
  const value = Buffer.concat([Buffer.from([0x0a, 1, 0x78]), spend.value])
  t.is(submit(chain, [Any.fromPartial({ ...spend, value })]).code, 0)
  t.deepEqual(proposal(chain, 1n)?.messages, [spend])
})

function proposal(chain: MessageChain, id: bigint): Proposal | undefined {
  for (const [key, value] of chain.store('gov', 0)) {
    if (Buffer.from(key).readBigUInt64BE(1) === id) return Proposal.decode(value)
  }
  return undefined
}

const vote = (chain: MessageChain, option: number, id = 1n) =>
  chain.send(alice, any(MsgVote, { proposalId: id, voter: alice.address, option, metadata: '' }))
const spend = (amount: bigint) =>
  any(MsgCommunityPoolSpend, { authority, recipient: carol.address, amount: coins(amount) })
const balance = (chain: MessageChain, address: string): bigint => {
  for (const [key, value] of chain.store('bank', 2)) {
    if (toBech32('cosmos', key.slice(2, 22)) === address) {
      return BigInt(Buffer.from(value).toString())
    }
  }
  return 0n
}
const result = (events: ReturnType<MessageChain['block']>['events']) =>
  events.find(({ type }) => type === 'active_proposal')?.attributes.map(({ key, value }) => `${key}=${value}`)

test('a proposal that passes runs its messages and gives deposits back', (t) => {
  const chain = start()
  chain.send(alice, any(MsgFundCommunityPool, { depositor: alice.address, amount: coins(500n) }))
  const before = balance(chain, carol.address)
  const made = submit(chain, [spend(77n)])
  t.is(made.code, 0, made.log)
  t.is(vote(chain, 1).code, 0)
  const { events } = chain.jump(31)
  t.deepEqual(result(events), [
    'proposal_id=1',
    'proposal_result=proposal_passed',
    'proposal_log=passed',
    'mode=EndBlock',
  ])
  t.is(balance(chain, carol.address), before + 77n)
  t.is(proposal(chain, 1n)?.status, 3)
  t.is(proposal(chain, 1n)?.finalTallyResult?.yesCount, (5000n * token).toString())
  t.deepEqual([...chain.store('gov', 0x10)], [])
})

test('a message that fails leaves nothing of the proposal but its failure', (t) => {
  const chain = start()
  const before = balance(chain, carol.address)
  submit(chain, [spend(1n), spend(10n ** 30n)])
  vote(chain, 1)
  const { events } = chain.jump(31)
  t.is(result(events)?.[1], 'proposal_result=proposal_failed')
  t.regex(
    result(events)?.[2] ?? '',
    /^proposal_log=passed, but msg 1 \(\/cosmos.distribution.v1beta1.MsgCommunityPoolSpend\) failed on execution: /,
  )
  t.is(proposal(chain, 1n)?.status, 5)
  t.is(balance(chain, carol.address), before)
})

const outcomes = test.macro((t, option: number, burned: boolean) => {
  const chain = start()
  submit(chain, [])
  const before = balance(chain, bob.address)
  vote(chain, option)
  chain.jump(31)
  t.is(proposal(chain, 1n)?.status, 4)
  t.is(balance(chain, bob.address) - before, burned ? 0n : 1000n)
})
test('a proposal that most are against is rejected and its deposit given back', outcomes, 3, false)
test('a proposal that is vetoed is rejected and its deposit burned', outcomes, 4, true)
test('a proposal on which all abstain is rejected', outcomes, 2, false)

test('a vote is split by its weights', (t) => {
  const chain = start()
  submit(chain, [])
  const half = [
    { option: 1, weight: '0.700000000000000000' },
    { option: 3, weight: '0.300000000000000000' },
  ]
  t.is(
    chain.send(alice, any(MsgVoteWeighted, { proposalId: 1n, voter: alice.address, options: half, metadata: '' })).code,
    0,
  )
  chain.jump(31)
  const { yesCount, noCount } = proposal(chain, 1n)?.finalTallyResult ?? {}
  t.is(yesCount, (3500n * token).toString())
  t.is(noCount, (1500n * token).toString())
  t.is(proposal(chain, 1n)?.status, 3)
})

const whole = [{ option: 1, weight: '1.000000000000000000' }]
const annotated: Readonly<Record<string, (proposalId: bigint, metadata: string) => Any>> = {
  vote: (proposalId, metadata) => any(MsgVote, { proposalId, voter: alice.address, option: 1, metadata }),
  'weighted vote': (proposalId, metadata) =>
    any(MsgVoteWeighted, { proposalId, voter: alice.address, options: whole, metadata }),
}
for (const [kind, of] of Object.entries(annotated)) {
  test(`metadata of a ${kind} has at most 255 bytes, which are counted after the period is checked`, (t) => {
    const chain = start()
    submit(chain, [])
    t.is(chain.send(alice, of(1n, 'é'.repeat(127))).code, 0)
    const { codespace, code, log } = chain.send(alice, of(1n, 'é'.repeat(128)))
    t.is(`${codespace} ${code}`, 'gov 15', log)
    t.regex(log, /got metadata with length 256: metadata too long$/)
    t.is(chain.send(alice, of(2n, 'é'.repeat(128))).code, 3)
  })
}

const weighted = (...options: readonly { option: number; weight: string }[]): Any =>
  any(MsgVoteWeighted, { proposalId: 1n, voter: alice.address, options, metadata: '' })
const single = (option: number): Any => any(MsgVote, { proposalId: 1n, voter: alice.address, option, metadata: '' })
/** Votes, and the ends of the node's texts for them. */
const wrongVotes: Readonly<Record<string, readonly [vote: Any, text: string]>> = {
  'for no option': [single(0), 'index: 0: VOTE_OPTION_UNSPECIFIED: invalid vote option'],
  'for an option that is not known': [single(5), 'index: 0: 5: invalid vote option'],
  'for a negative option': [single(-1), 'index: 0: -1: invalid vote option'],
  'without weight': [weighted({ option: 1, weight: '0' }), 'option:VOTE_OPTION_YES weight:"0" : invalid vote option'],
  'with an empty weight': [
    weighted({ option: 4, weight: '' }),
    'option:VOTE_OPTION_NO_WITH_VETO : invalid vote option',
  ],
  'for no weighted option': [weighted({ option: 0, weight: '1' }), 'index: 0: weight:"1" : invalid vote option'],
  'for another weighted option': [weighted({ option: 7, weight: '1' }), 'option:7 weight:"1" : invalid vote option'],
  'with a weight that is no number': [
    weighted({ option: 3, weight: 'é"\\\n\u007f' }),
    String.raw`option:VOTE_OPTION_NO weight:"\303\251\"\\\n\177" : invalid vote option`,
  ],
  'for nothing': [weighted(), 'index: 0: null: invalid request'],
  'of v1beta1 for nothing': [
    any(OldVoteWeighted, { proposalId: 1n, voter: alice.address, options: [] }),
    'index: 0: []: invalid request',
  ],
}
for (const [kind, [message, text]] of Object.entries(wrongVotes)) {
  test(`a vote ${kind} is refused in the node's words`, (t) => {
    const { log } = quickChain().send(alice, message)
    t.true(log.endsWith(text), log)
  })
}

test('an expedited proposal that fails becomes a regular one', (t) => {
  const chain = start()
  const made = submit(chain, [], { expedited: true, initialDeposit: coins(5000n) })
  t.is(made.code, 0, made.log)
  const { events } = chain.jump(11)
  t.is(result(events)?.[1], 'proposal_result=expedited_proposal_rejected')
  t.is(proposal(chain, 1n)?.expedited, false)
  vote(chain, 1)
  chain.jump(31)
  t.is(proposal(chain, 1n)?.status, 3)
})

test('an expedited proposal that passes is carried out when its shorter time is over', (t) => {
  const chain = start()
  const before = balance(chain, carol.address)
  const made = submit(chain, [spend(7n)], { expedited: true, initialDeposit: coins(5000n) })
  t.is(made.code, 0, made.log)
  vote(chain, 1)
  chain.jump(1)
  t.is(proposal(chain, 1n)?.status, 2)
  const { events } = chain.jump(11)
  t.is(result(events)?.[1], 'proposal_result=proposal_passed')
  t.is(proposal(chain, 1n)?.status, 3)
  t.is(balance(chain, carol.address), before + 7n)
})

test('deposits add up until voting begins, and a proposal without enough is dropped', (t) => {
  const chain = start()
  submit(chain, [], { initialDeposit: coins(400n) })
  t.is(proposal(chain, 1n)?.status, 1)
  chain.send(carol, any(MsgDeposit, { proposalId: 1n, depositor: carol.address, amount: coins(600n) }))
  t.is(proposal(chain, 1n)?.status, 2)
  submit(chain, [], { initialDeposit: coins(400n) })
  const { events } = chain.jump(41)
  t.true(events.some(({ type }) => type === 'inactive_proposal'))
  t.is(proposal(chain, 2n), undefined)
})

test('a proposer may cancel, at the price of half the deposit', (t) => {
  const chain = start()
  submit(chain, [])
  const before = balance(chain, bob.address)
  const other = chain.send(carol, any(MsgCancelProposal, { proposalId: 1n, proposer: carol.address }))
  t.is(`${other.codespace} ${other.code}`, 'gov 18')
  const fee = 500_000n * 2_000_000_000n
  t.is(chain.send(bob, any(MsgCancelProposal, { proposalId: 1n, proposer: bob.address })).code, 0)
  t.is(balance(chain, bob.address), before - fee + 500n)
  t.is(proposal(chain, 1n), undefined)
})

/** Submits a proposal of v1beta1. */
function submitOld(chain: MessageChain, title: string) {
  const content = Any.fromPartial({
    typeUrl: TextProposal.typeUrl,
    value: TextProposal.encode({ title, description: 'text' }).finish(),
  })
  return chain.send(bob, any(OldSubmit, { content, initialDeposit: coins(1000n), proposer: bob.address }))
}

test('the title of a proposal of v1beta1 has 140 bytes at most', (t) => {
  const chain = start()
  t.is(submitOld(chain, 'é'.repeat(70)).code, 0)
  const { codespace, code } = submitOld(chain, 'é'.repeat(71))
  t.is(`${codespace} ${code}`, 'gov 5')
})

test('a proposal of v1beta1 goes the same way', (t) => {
  const chain = start()
  const made = submitOld(chain, 'old')
  t.is(made.code, 0, made.log)
  t.is(proposal(chain, 1n)?.title, 'old')
  t.is(proposal(chain, 1n)?.messages[0]?.typeUrl, '/cosmos.gov.v1.MsgExecLegacyContent')
  vote(chain, 1)
  chain.jump(31)
  t.is(proposal(chain, 1n)?.status, 3)
})

test('a plan for an upgrade stops the chain at its height', (t) => {
  const chain = start()
  const height = chain.state.height + 6n
  // Go's zero time: a plan at another time, 1970 included, is refused.
  const time = { seconds: -62_135_596_800n, nanos: 0 }
  submit(chain, [any(MsgSoftwareUpgrade, { authority, plan: { name: 'v9', height, info: 'get it', time } })])
  vote(chain, 1)
  chain.jump(31)
  t.is(proposal(chain, 1n)?.status, 3)
  while (chain.state.height < height - 1n) {
    t.is(chain.application.halted(chain.state), undefined)
    chain.block()
  }
  t.is(chain.application.halted(chain.state), `UPGRADE "v9" NEEDED at height: ${height}: get it`)
})

const refused = test.macro((t, name: string, messages: readonly Any[], more: Record<string, unknown>, log: RegExp) => {
  const got = submit(start(), messages, more)
  t.is(`${got.codespace} ${got.code}`, name)
  t.regex(got.log, log)
})
test(
  'a message of somebody else is refused',
  refused,
  'gov 13',
  [any(MsgSend, { fromAddress: bob.address, toAddress: bob.address, amount: coins(1n) })],
  {},
  /cosmos1\w+: expected gov account as only signer for proposal message$/,
)
test(
  'a foreign coin is no deposit',
  refused,
  'gov 23',
  [],
  { initialDeposit: [{ denom: 'foo', amount: '5' }] },
  /deposited 5foo, but gov accepts only the following denom\(s\): \[atest\]: invalid deposit denom$/,
)
test(
  'a proposal needs a title',
  refused,
  'sdk 18',
  [],
  { title: '' },
  /proposal title cannot be empty: invalid request$/,
)
test(
  'a message without a handler is refused',
  refused,
  'sdk 2',
  [Any.fromPartial({ typeUrl: '/a.B', value: new Uint8Array(0) })],
  {},
  /unable to resolve type URL/,
)

/** Metadata, and why it is refused for a proposal with title T and summary S. */
const readAsGo: readonly (readonly [metadata: string, refusal: string | undefined])[] = [
  ['{"title":"T","summary":"S","other":5}', undefined],
  ['{"Title":"T","SUMMARY":"S"}', undefined],
  ['{"title":"T","summary":"no"}', "summary 'no' must equal proposal summary 'S'"],
  ['{"TITLE":"no","summary":"S"}', "title 'no' must equal proposal title 'T'"],
  ['{"title":"no","title":"T","summary":"S"}', undefined],
  ['{"title":"no","summary":"no","authors":["ann","bob"]}', "title 'no' must equal proposal title 'T'"],
  ['{"title":"no","summary":"no","authors":"bob"}', undefined],
  ['{"title":"no","summary":"no","details":1}', undefined],
  ['{"title":5}', undefined],
  ['{"title":"no"} more', undefined],
  ['{}', "title '' must equal proposal title 'T'"],
  ['null', "title '' must equal proposal title 'T'"],
  ['[]', undefined],
  ['5', undefined],
]
for (const [metadata, refusal] of readAsGo) {
  test(`metadata ${metadata} is ${refusal === undefined ? 'accepted' : 'refused'}`, (t) => {
    const { codespace, code, log } = submit(start(), [], { title: 'T', summary: 'S', metadata })
    t.is(`${codespace} ${code}`, refusal === undefined ? ' 0' : 'gov 5', log)
    if (refusal !== undefined) t.true(log.endsWith(`metadata ${refusal}: invalid proposal content`), log)
  })
}

test('a proposal that spends the deposits on others does not stop the chain', (t) => {
  const chain = start()
  submit(chain, [any(MsgSend, { fromAddress: authority, toAddress: carol.address, amount: coins(2000n) })])
  submit(chain, [])
  vote(chain, 1)
  const first = chain.jump(31)
  t.is(result(first.events)?.[1], 'proposal_result=proposal_failed')
  submit(chain, [any(MsgSend, { fromAddress: authority, toAddress: carol.address, amount: coins(600n) })])
  submit(chain, [])
  vote(chain, 1, 3n)
  const { events } = chain.jump(31)
  t.true(events.some(({ attributes }) => attributes.some(({ key }) => key === 'proposal_deposit_error')))
  t.is(proposal(chain, 3n)?.status, 3)
  t.is(proposal(chain, 4n)?.status, 4)
})
