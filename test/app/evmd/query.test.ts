/** Paths that are none and requests that are bad, as the SDK answers them. */
import test from 'ava'
import { QueryAccountRequest } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { QueryBalanceRequest } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { QueryDelegationRewardsRequest } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QuerySigningInfosRequest, QuerySigningInfosResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { QueryDelegationRequest } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { startChain } from '../../helpers/evmdChain.ts'
import { startMessages } from '../../helpers/messageChain.ts'

const who = 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'
const nobody = 'cosmosvaloper1fl48vsnmsdzcv85q5d2q4z5ajdha8yu3s0a64y'
const none = new Uint8Array(0)
/** 2^64 - 1. */
const most = [255, 255, 255, 255, 255, 255, 255, 255, 255, 1]

/** Path, data, height asked for; code, what the log is like, height answered. */
const cases: Readonly<
  Record<string, readonly [path: string, data: Uint8Array, height: bigint, code: number, log: RegExp, at: bigint]>
> = {
  'a member that every object has': ['constructor', none, 0n, 6, /^unknown query path: unknown/, 0n],
  'the prototype': ['__proto__', none, 0n, 6, /^unknown query path: unknown request$/, 0n],
  'an unknown method': ['/cosmos.bank.v1beta1.Query/Nope', none, 0n, 6, /^unknown query path/, 0n],
  'a height below 0': ['/cosmos.bank.v1beta1.Query/Params', none, -1n, 18, /height < 0/, 0n],
  'a height to come': ['/cosmos.bank.v1beta1.Query/Params', none, 9n, 26, /in the future/, 0n],
  'validators at an offset that Go reads as below 0': [
    '/cosmos.base.tendermint.v1beta1.Service/GetLatestValidatorSet',
    Uint8Array.of(10, 11, 16, ...most),
    0n,
    18,
    /^rpc error: code = InvalidArgument desc = offset must greater than 0: invalid request$/,
    2n,
  ],
  'more validators than Go counts': [
    '/cosmos.base.tendermint.v1beta1.Service/GetLatestValidatorSet',
    Uint8Array.of(10, 11, 24, ...most),
    0n,
    18,
    /^rpc error: code = InvalidArgument desc = limit must greater than 0: invalid request$/,
    2n,
  ],
  'half a request': [
    '/cosmos.bank.v1beta1.Query/Balance',
    Uint8Array.of(10, 9, 65),
    0n,
    18,
    /^unexpected EOF: invalid request$/,
    2n,
  ],
  'a request without fields that is none': [
    '/cosmos.mint.v1beta1.Query/Inflation',
    Uint8Array.of(10, 9, 65),
    0n,
    18,
    /^unexpected EOF: invalid request$/,
    2n,
  ],
  'a tag that is none': [
    '/cosmos.mint.v1beta1.Query/Inflation',
    Uint8Array.of(5),
    0n,
    18,
    /^proto: QueryInflationRequest: illegal tag 0 \(wire type 5\): invalid request$/,
    2n,
  ],
  'a field of the wrong type that is cut off': [
    '/cosmos.bank.v1beta1.Query/TotalSupply',
    Uint8Array.of(8),
    0n,
    18,
    /^proto: wrong wireType = 0 for field Pagination: invalid request$/,
    2n,
  ],
  'the end of no group': [
    '/cosmos.bank.v1beta1.Query/Balance',
    Uint8Array.of(12),
    0n,
    18,
    /^proto: QueryBalanceRequest: wiretype end group for non-group: invalid request$/,
    2n,
  ],
  'no address': [
    '/cosmos.auth.v1beta1.Query/Account',
    none,
    0n,
    18,
    /^rpc error: code = InvalidArgument desc = Address cannot be empty: invalid request$/,
    2n,
  ],
  'an account, at a height of the past': [
    '/cosmos.auth.v1beta1.Query/Account',
    QueryAccountRequest.encode({ address: who }).finish(),
    1n,
    0,
    /^$/,
    1n,
  ],
  'an address that is none': [
    '/cosmos.auth.v1beta1.Query/Account',
    QueryAccountRequest.encode({ address: 'x' }).finish(),
    0n,
    6,
    /^unknown address format: x: unknown address: unknown request$/,
    2n,
  ],
  'an address with a wrong letter': [
    '/cosmos.auth.v1beta1.Query/Account',
    QueryAccountRequest.encode({ address: `${who.slice(0, -1)}q` }).finish(),
    0n,
    6,
    /^unknown address format: cosmos1\w+q: unknown address: unknown request$/,
    2n,
  ],
  'a coin that is none': [
    '/cosmos.bank.v1beta1.Query/Balance',
    QueryBalanceRequest.encode({ address: who, denom: '!' }).finish(),
    0n,
    18,
    /code = InvalidArgument desc = invalid denom: !: invalid request$/,
    2n,
  ],
  'a delegation that is none': [
    '/cosmos.staking.v1beta1.Query/Delegation',
    QueryDelegationRequest.encode({ delegatorAddr: who, validatorAddr: nobody }).finish(),
    0n,
    22,
    /^rpc error: code = NotFound desc = delegation with delegator cosmos1\w+ not found for/,
    2n,
  ],
  'rewards of a validator that is none': [
    '/cosmos.distribution.v1beta1.Query/DelegationRewards',
    QueryDelegationRewardsRequest.encode({ delegatorAddress: who, validatorAddress: nobody }).finish(),
    0n,
    6,
    /^validator does not exist: unknown request$/,
    2n,
  ],
  'a proof at height 1': [
    '/cosmos.bank.v1beta1.Query/Params',
    none,
    1n,
    18,
    /^cannot query with proof when height <= 1; please provide a valid height: invalid request$/,
    0n,
  ],
  'a proof at height 2': ['/cosmos.bank.v1beta1.Query/Params', none, 2n, 0, /^$/, 2n],
  'a proof of the last height': ['/cosmos.bank.v1beta1.Query/Params', none, 0n, 0, /^$/, 2n],
  'a transaction to send': [
    '/cosmos.tx.v1beta1.Service/BroadcastTx',
    none,
    0n,
    18,
    /^can't route a broadcast tx message: invalid request$/,
    0n,
  ],
}

for (const [name, [path, data, height, code, log, at]] of Object.entries(cases)) {
  test(`${name} is answered as by the SDK`, (t) => {
    const chain = startChain()
    chain.block()
    chain.block()
    const { application, state } = chain
    const prove = name.startsWith('a proof')
    const answer = application.query(
      state,
      { path, data, height, prove },
      {
        stateAt: () => state,
        latestHeight: state.height,
        earliestHeight: 1n,
        chainId: 'chainstage-1',
      },
    )
    t.is(answer.code, code, answer.log)
    t.regex(answer.log, log)
    t.is(answer.height, at)
    t.is(answer.codespace, code === 0 ? '' : 'sdk')
  })
}

for (const [prove, code] of [
  [true, 7],
  [false, 3],
] as const) {
  test(`a key of no bytes is refused ${prove ? 'for want of a proof' : 'without a proof too'}`, (t) => {
    const chain = startChain()
    chain.block()
    chain.block()
    const { application, state } = chain
    const { height: latestHeight } = state
    const context = { stateAt: () => state, latestHeight, earliestHeight: 1n, chainId: 'chainstage-1' }
    const answer = application.query(state, { path: '/store/bank/key', data: none, height: 0n, prove }, context)
    t.deepEqual([answer.codespace, answer.code], ['store', code], answer.log)
  })
}

test('the signing infos are counted beyond the last one, as the node does', (t) => {
  const pagination = { key: none, offset: 5n, limit: 0n, countTotal: false, reverse: false }
  const request = QuerySigningInfosRequest.encode({ pagination }).finish()
  const answer = startMessages().query('/cosmos.slashing.v1beta1.Query/SigningInfos', request)
  const { info, pagination: page } = QuerySigningInfosResponse.decode(answer)
  t.deepEqual(info, [])
  t.true((page?.total ?? 0n) > 0n)
})
