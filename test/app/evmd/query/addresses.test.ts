/** How queries read the spelling of addresses, as a real node does. */
import { toBech32 } from '@cosmjs/encoding'
import test from 'ava'
import { QueryAccountRequest } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { QueryGranteeGrantsRequest, QueryGranteeGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { BasicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { QueryAllowanceRequest, QueryAllowanceResponse } from 'cosmjs-types/cosmos/feegrant/v1beta1/query'
import { QueryAllowancesByGranterRequest, QueryAllowancesResponse } from 'cosmjs-types/cosmos/feegrant/v1beta1/query'
import { MsgGrantAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { QueryDepositRequest } from 'cosmjs-types/cosmos/gov/v1/query'
import { QueryRedelegationsRequest } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { any, ethereumPerson, startMessages } from '../../../helpers/messageChain.ts'

const chain = startMessages()
const [alice, bob] = [ethereumPerson(0), ethereumPerson(1)]
const parties = { granter: alice.address, grantee: bob.address }
const authorization = any(GenericAuthorization, { msg: '/cosmos.gov.v1.MsgVote' })
chain.send(alice, [
  any(MsgGrant, { ...parties, grant: { authorization } }),
  any(MsgGrantAllowance, { ...parties, allowance: any(BasicAllowance, {}) }),
])
const spellings = (of: typeof alice) => [of.address.toUpperCase(), of.hex, of.hex.slice(2)]

test('grants are found by any spelling of the grantee, which the response repeats', (t) => {
  for (const grantee of spellings(bob)) {
    const data = QueryGranteeGrantsRequest.encode(QueryGranteeGrantsRequest.fromPartial({ grantee })).finish()
    const { grants } = QueryGranteeGrantsResponse.decode(chain.query('/cosmos.authz.v1beta1.Query/GranteeGrants', data))
    t.deepEqual(
      grants.map((one) => [one.granter, one.grantee]),
      [[alice.address, grantee]],
    )
  }
})

test('allowances are found by any spelling of their parties', (t) => {
  const path = '/cosmos.feegrant.v1beta1.Query/'
  for (const granter of spellings(alice)) {
    const issued = QueryAllowancesByGranterRequest.encode(QueryAllowancesByGranterRequest.fromPartial({ granter }))
    const { allowances } = QueryAllowancesResponse.decode(chain.query(`${path}AllowancesByGranter`, issued.finish()))
    t.deepEqual(
      allowances.map((one) => one.granter),
      [alice.address],
    )
    const asked = { granter, grantee: bob.hex }
    const data = QueryAllowanceRequest.encode(QueryAllowanceRequest.fromPartial(asked)).finish()
    const { allowance } = QueryAllowanceResponse.decode(chain.query(`${path}Allowance`, data))
    t.like(allowance, asked)
  }
})

test('the error for a missing deposit spells the depositor in bech32', (t) => {
  const data = QueryDepositRequest.encode(
    QueryDepositRequest.fromPartial({ proposalId: 1n, depositor: bob.hex }),
  ).finish()
  const { message } = t.throws(() => chain.query('/cosmos.gov.v1.Query/Deposit', data))
  t.true(message.includes(`("1", "${bob.address}")`), message)
})

test('an empty address and one of more than 255 bytes are refused', (t) => {
  const asked = (length: number) => {
    const address = toBech32('cosmos', new Uint8Array(length).fill(3), 2000)
    return QueryAccountRequest.encode({ address }).finish()
  }
  const query = (length: number) => chain.query('/cosmos.auth.v1beta1.Query/Account', asked(length))
  t.throws(() => query(0), { message: /addresses cannot be empty/ })
  t.throws(() => query(256), { message: /address max length is 255, got 256/ })
  t.throws(() => query(255), { message: /not found/ })
})

test('no address at all is an invalid address to grants, allowances and redelegations', (t) => {
  const path = '/cosmos.staking.v1beta1.Query/Redelegations'
  const moves = { srcValidatorAddr: alice.operator, dstValidatorAddr: bob.operator }
  const asked = QueryRedelegationsRequest.encode(QueryRedelegationsRequest.fromPartial(moves)).finish()
  for (const [method, data] of [
    ['/cosmos.authz.v1beta1.Query/GranterGrants', new Uint8Array(0)],
    ['/cosmos.feegrant.v1beta1.Query/Allowances', new Uint8Array(0)],
    [path, asked],
  ] as const) {
    t.throws(() => chain.query(method, data), { message: /empty address string is not allowed: invalid address/ })
  }
})

test('an address that is refused with a plain Go error is an invalid request', (t) => {
  // Requests of both methods have the address in field 1.
  const fractionOf = (address: string) =>
    chain.query('/cosmos.evm.precisebank.v1.Query/FractionalBalance', QueryAccountRequest.encode({ address }).finish())
  const refusal = 'invalid Bech32 prefix; expected cosmos, got cosmosvaloper: invalid request'
  t.throws(() => fractionOf(alice.operator), { message: refusal })
  t.throws(() => fractionOf(''), { message: 'empty address string is not allowed: invalid request' })
})
