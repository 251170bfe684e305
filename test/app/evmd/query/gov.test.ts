import test from 'ava'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { QueryParamsRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import { QueryProposalsRequest, QueryProposalsResponse } from 'cosmjs-types/cosmos/gov/v1beta1/query'
import { any, ethereumPerson, startMessages } from '../../../helpers/messageChain.ts'

const gov = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'

test('both versions of x/gov refuse an unknown kind of parameters in the same words', (t) => {
  const chain = startMessages()
  const data = QueryParamsRequest.encode({ paramsType: 'x' }).finish()
  for (const version of ['v1', 'v1beta1']) {
    t.throws(() => chain.query(`/cosmos.gov.${version}.Query/Params`, data), { message: /unknown params type: x/ })
  }
})

test('a proposal that v1beta1 cannot spell is counted outside the page', (t) => {
  const chain = startMessages()
  const alice = ethereumPerson(0)
  const propose = (messages: readonly object[]) => {
    const proposal = { proposer: alice.address, title: 't', summary: 's', metadata: 'm', messages }
    const initialDeposit = [{ denom: 'atest', amount: '1000000' }]
    return chain.send(alice, any(MsgSubmitProposal, { ...proposal, initialDeposit }), { gas: 2_000_000n })
  }
  const send = { fromAddress: gov, toAddress: alice.address, amount: [{ denom: 'atest', amount: '1' }] }
  for (const messages of [[any(MsgSend, send)], []]) t.is(propose(messages).code, 0)
  const asked = (limit: bigint) => {
    const request = QueryProposalsRequest.fromPartial({ pagination: { limit, countTotal: true } } as never)
    return chain.query('/cosmos.gov.v1beta1.Query/Proposals', QueryProposalsRequest.encode(request).finish())
  }
  const { proposals, pagination } = QueryProposalsResponse.decode(asked(1n))
  t.is(proposals.length, 1)
  t.is(pagination?.total, 2n)
  t.throws(() => asked(2n), { message: /amount of proposal messages not exactly one/ })
})
