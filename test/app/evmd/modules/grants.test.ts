/** Acting and paying for others: x/authz and x/feegrant. */
import test from 'ava'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant, MsgRevoke } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { AllowedMsgAllowance, BasicAllowance, PeriodicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { MsgGrantAllowance, MsgRevokeAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/tx'
import { AuthorizationType, StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz'
import { MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCreateVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { packedOfJson } from '../../../../src/codec/schema/protoJsonRead.ts'
import { any, feeOf, type MessageChain, person } from '../../../helpers/messageChain.ts'
import { operatorsOf, quickChain } from '../../../helpers/randomMessages.ts'

const [alice, bob, carol] = [person(0), person(1), person(2)]
const coins = (amount: bigint) => [{ denom: 'atest', amount: amount.toString() }]
const send = (amount: bigint, to = carol.address): Any =>
  any(MsgSend, { fromAddress: alice.address, toAddress: to, amount: coins(amount) })
const exec = (...msgs: Any[]) => any(MsgExec, { grantee: bob.address, msgs })
const name = ({ codespace, code }: { codespace: string; code: number }) => `${codespace} ${code}`

function grant(chain: MessageChain, authorization: Any, seconds = 1000) {
  const expiration = { seconds: chain.time + BigInt(seconds), nanos: 0 }
  return chain.send(
    alice,
    any(MsgGrant, { granter: alice.address, grantee: bob.address, grant: { authorization, expiration } }),
  )
}

test('a generic grant lets the grantee act until it is over or taken back', (t) => {
  const chain = quickChain()
  t.is(name(chain.send(bob, exec(send(5n)))), 'authz 2')
  const generic = any(GenericAuthorization, { msg: MsgSend.typeUrl })
  t.is(grant(chain, generic).code, 0)
  const done = chain.send(bob, exec(send(5n), send(6n)))
  t.is(done.code, 0, done.log)
  t.is(done.events.filter(({ type }) => type === 'transfer').length, 3)
  t.is(
    chain.send(alice, any(MsgRevoke, { granter: alice.address, grantee: bob.address, msgTypeUrl: MsgSend.typeUrl }))
      .code,
    0,
  )
  t.is(name(chain.send(bob, exec(send(5n)))), 'authz 2')
  t.is(grant(chain, generic, 20).code, 0)
  chain.jump(30)
  t.is(name(chain.send(bob, exec(send(5n)))), 'authz 2')
  t.deepEqual([...chain.store('authz', 1)], [])
})

test('a message of IBC can be granted, as to a relayer, though the chain has no IBC', (t) => {
  const chain = quickChain()
  const granted = grant(chain, any(GenericAuthorization, { msg: '/ibc.core.client.v1.MsgUpdateClient' }))
  t.is(granted.code, 0, granted.log)
  t.is([...chain.store('authz', 1)].length, 1)
})

test('a grant is stored without what its sender need not have written', (t) => {
  const [plain, padded] = [quickChain(), quickChain()]
  const generic = any(GenericAuthorization, { msg: MsgSend.typeUrl })
  // The same field twice, of which the last counts.
  const twice = Any.fromPartial({ ...generic, value: Buffer.concat([generic.value, generic.value]) })
  t.is(grant(plain, generic).code, 0)
  t.is(grant(padded, twice).code, 0)
  t.deepEqual([...padded.store('authz', 1)], [...plain.store('authz', 1)])
})

test('the error of an execution shows the message that failed', (t) => {
  const chain = quickChain()
  grant(chain, any(GenericAuthorization, { msg: MsgSend.typeUrl }))
  const [from, to] = [alice.address, carol.address]
  t.true(
    chain
      .send(bob, exec(send(10n ** 40n)))
      .log.startsWith(
        `failed to execute message; message index: 0: failed to execute message; message from_address:"${from}" ` +
          `to_address:"${to}" amount:<denom:"atest" amount:"1${'0'.repeat(40)}" > : spendable balance `,
      ),
  )
})

test('a grant to send is used up, and only to those it names', (t) => {
  const chain = quickChain()
  t.is(grant(chain, any(SendAuthorization, { spendLimit: coins(10n), allowList: [carol.address] })).code, 0)
  t.is(name(chain.send(bob, exec(send(5n, person(3).address)))), 'sdk 4')
  t.is(chain.send(bob, exec(send(4n))).code, 0)
  t.is(name(chain.send(bob, exec(send(7n)))), 'sdk 5')
  t.is(chain.send(bob, exec(send(6n))).code, 0)
  t.is(name(chain.send(bob, exec(send(1n)))), 'authz 2')
})

test('a grant to stake is for one kind of message, some validators and an amount', (t) => {
  const chain = quickChain()
  const [first = '', second = ''] = operatorsOf(chain)
  const stake = (
    validatorAddress: string,
    amount: bigint,
    type: typeof MsgDelegate | typeof MsgUndelegate = MsgDelegate,
  ) => any(type, { delegatorAddress: alice.address, validatorAddress, amount: coins(amount)[0] })
  const made = grant(
    chain,
    any(StakeAuthorization, {
      authorizationType: AuthorizationType.AUTHORIZATION_TYPE_DELEGATE,
      maxTokens: coins(100n)[0],
      allowList: { address: [first] },
    }),
  )
  t.is(made.code, 0, made.log)
  t.is(name(chain.send(bob, exec(stake(second, 5n)))), 'sdk 4')
  t.is(name(chain.send(bob, exec(stake(first, 5n, MsgUndelegate)))), 'authz 2')
  t.is(chain.send(bob, exec(stake(first, 99n))).code, 0)
  t.regex(chain.send(bob, exec(stake(first, 2n))).log, /: negative coin amount: -1atest$/)
  const foreign = { delegatorAddress: alice.address, validatorAddress: first, amount: { denom: 'foo', amount: '1' } }
  t.regex(chain.send(bob, exec(any(MsgDelegate, foreign))).log, /: invalid coin denoms: atest, foo$/)
  t.is(chain.send(bob, exec(stake(first, 1n))).code, 0)
})

test('no message of an execution runs if one of them is invalid whatever the state', (t) => {
  const chain = quickChain()
  const convert = packedOfJson({
    '@type': '/cosmos.evm.erc20.v1.MsgConvertCoin',
    coin: { denom: 'atest', amount: '0' },
    sender: bob.address,
    receiver: '0x0000000000000000000000000000000000000001',
  })
  const { codespace, code, log } = chain.send(bob, exec(send(1n), Any.fromPartial(convert)))
  t.deepEqual([codespace, code], ['sdk', 10])
  t.regex(log, /msg 1: cannot mint a non-positive amount: invalid coins$/)
})

test('vesting accounts cannot be made, nor Ethereum transactions sent, in the name of others', (t) => {
  const chain = quickChain()
  const inner = any(MsgCreateVestingAccount, {
    fromAddress: alice.address,
    toAddress: carol.address,
    amount: coins(1n),
    endTime: 9n,
  })
  const { code, log } = chain.check(chain.signed(bob, [exec(inner)]))
  t.is(code, 4)
  t.is(log, 'found disabled msg type: /cosmos.vesting.v1beta1.MsgCreateVestingAccount: unauthorized')
  t.is(
    chain.check(
      chain.signed(alice, [
        any(MsgGrant, {
          granter: alice.address,
          grantee: bob.address,
          grant: { authorization: any(GenericAuthorization, { msg: '/cosmos.evm.vm.v1.MsgEthereumTx' }) },
        }),
      ]),
    ).code,
    4,
  )
})

test('an expiration in the past and a grant to oneself are refused', (t) => {
  const chain = quickChain()
  t.is(name(grant(chain, any(GenericAuthorization, { msg: MsgSend.typeUrl }), -5)), 'authz 3')
  t.is(
    name(
      chain.send(
        alice,
        any(MsgGrant, {
          granter: alice.address,
          grantee: alice.address,
          grant: { authorization: any(GenericAuthorization, { msg: MsgSend.typeUrl }) },
        }),
      ),
    ),
    'authz 7',
  )
})

const gas = 300_000n
const fee = BigInt(feeOf(gas))
const allow = (chain: MessageChain, allowance: Any) =>
  chain.send(alice, any(MsgGrantAllowance, { granter: alice.address, grantee: bob.address, allowance }))
const small = any(MsgSend, { fromAddress: bob.address, toAddress: carol.address, amount: coins(1n) })
const paid = (chain: MessageChain, message = small) => chain.send(bob, message, { gas, granter: alice.address })

test('a basic allowance pays until it is used up or over', (t) => {
  const chain = quickChain()
  t.is(name(paid(chain)), 'sdk 38')
  const expiration = { seconds: chain.time + 100n, nanos: 0 }
  t.is(allow(chain, any(BasicAllowance, { spendLimit: coins(fee * 2n + 5n), expiration })).code, 0)
  const first = paid(chain)
  t.is(first.code, 0, first.log)
  const payer = first.events.find(({ type, attributes }) => type === 'tx' && attributes[1]?.key === 'fee_payer')
  t.is(payer?.attributes[1]?.value, alice.address)
  t.is(paid(chain).code, 0)
  t.is(name(paid(chain)), 'feegrant 2')
  chain.jump(200)
  t.is(name(paid(chain)), 'sdk 38')
})

test('a periodic allowance is filled again', (t) => {
  const chain = quickChain()
  const made = allow(
    chain,
    any(PeriodicAllowance, {
      basic: { spendLimit: coins(fee * 10n) },
      period: { seconds: 50n, nanos: 0 },
      periodSpendLimit: coins(fee),
      periodCanSpend: coins(fee),
      periodReset: { seconds: chain.time + 50n, nanos: 0 },
    }),
  )
  t.is(made.code, 0, made.log)
  t.is(paid(chain).code, 0)
  t.is(name(paid(chain)), 'feegrant 2')
  chain.jump(50)
  t.is(paid(chain).code, 0)
})

test('a periodic allowance with a negative period is refused', (t) => {
  const allowance = any(PeriodicAllowance, {
    basic: {},
    period: { seconds: -1n, nanos: 0 },
    periodSpendLimit: coins(1n),
    periodReset: { seconds: 1n, nanos: 0 },
  })
  const [granter, grantee] = [alice.address, bob.address]
  const { codespace, code, log } = quickChain().send(alice, any(MsgGrantAllowance, { granter, grantee, allowance }))
  t.deepEqual([codespace, code], ['feegrant', 4])
  t.regex(log, /negative clock step: invalid duration$/)
})

test('an allowance for some messages pays for no others', (t) => {
  const chain = quickChain()
  const inner = any(BasicAllowance, { spendLimit: coins(fee * 10n) })
  t.is(allow(chain, any(AllowedMsgAllowance, { allowance: inner, allowedMessages: [MsgSend.typeUrl] })).code, 0)
  t.is(paid(chain).code, 0)
  t.is(name(paid(chain, exec(small))), 'feegrant 7')
  t.is(chain.send(alice, any(MsgRevokeAllowance, { granter: alice.address, grantee: bob.address })).code, 0)
  t.is(name(paid(chain)), 'sdk 38')
})
