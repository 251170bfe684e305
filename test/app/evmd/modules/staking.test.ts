import { toBech32 } from '@cosmjs/encoding'
import test from 'ava'
import { PubKey } from 'cosmjs-types/cosmos/crypto/ed25519/keys'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { QueryHistoricalInfoRequest, QueryHistoricalInfoResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { UnbondingDelegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import {
  MsgBeginRedelegate,
  MsgBeginRedelegateResponse,
  MsgCancelUnbondingDelegation,
  MsgCreateValidator,
  MsgDelegate,
  MsgEditValidator,
  MsgUndelegate,
} from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import type { Misbehavior } from '../../../../src/app/abci.ts'
import { ed25519Address } from '../../../../src/crypto/ed25519.ts'
import { broken } from '../../../helpers/invariants.ts'
import { any, type MessageChain, person } from '../../../helpers/messageChain.ts'
import { operatorsOf, quickChain } from '../../../helpers/randomMessages.ts'

const [alice, bob] = [person(0), person(1)]
const token = 10n ** 18n
const coin = (amount: bigint) => ({ denom: 'atest', amount: amount.toString() })
const operator = (chain: MessageChain, index: number): string => operatorsOf(chain)[index] ?? ''
const delegate = (chain: MessageChain, amount: bigint, index = 0) =>
  any(MsgDelegate, {
    delegatorAddress: alice.address,
    validatorAddress: operator(chain, index),
    amount: coin(amount),
  })
const undelegate = (chain: MessageChain, amount: bigint, index = 0) =>
  any(MsgUndelegate, {
    delegatorAddress: alice.address,
    validatorAddress: operator(chain, index),
    amount: coin(amount),
  })
const create = (power: bigint, self = '1', amount = power * token) =>
  any(MsgCreateValidator, {
    description: { moniker: 'new', identity: '', website: '', securityContact: '', details: '' },
    commission: {
      rate: '100000000000000000',
      maxRate: '200000000000000000',
      maxChangeRate: '10000000000000000',
    },
    minSelfDelegation: self,
    delegatorAddress: '',
    validatorAddress: alice.operator,
    value: coin(amount),
    pubkey: Any.fromPartial({
      typeUrl: PubKey.typeUrl,
      value: PubKey.encode({ key: new Uint8Array(32).fill(9) }).finish(),
    }),
  })

function validator(chain: MessageChain, address: string): Validator {
  for (const [, value] of chain.store('staking', 0x21)) {
    const one = Validator.decode(value)
    if (one.operatorAddress === address) return one
  }
  throw new Error('no validator')
}

function ok(
  t: { is: (a: unknown, b: unknown, text?: string) => unknown },
  { code, log }: { code: number; log: string },
): void {
  t.is(code, 0, log)
}
const powers = (chain: MessageChain): readonly number[] =>
  chain.validators.map(({ power }) => Number(power)).toSorted((a, b) => a - b)

test('past validator sets are kept for as many blocks as is said', (t) => {
  const chain = quickChain()
  const historyOf = (height: bigint) =>
    QueryHistoricalInfoResponse.decode(
      chain.query(
        '/cosmos.staking.v1beta1.Query/HistoricalInfo',
        QueryHistoricalInfoRequest.encode({ height }).finish(),
      ),
    ).hist
  ok(t, chain.send(alice, delegate(chain, 500n * token)))
  const { height } = chain.state
  chain.block()
  const tokensAt = (at: bigint) => historyOf(at)?.valset.map(({ tokens }) => BigInt(tokens) / token)
  t.deepEqual(tokensAt(height), [1000n, 1000n, 1000n])
  t.deepEqual(tokensAt(height + 1n), [1500n, 1000n, 1000n])
  t.is(historyOf(height)?.header.height, height)
  t.is(historyOf(height)?.header.chainId, 'chainstage-1')
  for (let block = 0; block < 4; block++) chain.block()
  t.throws(() => historyOf(height), { message: /historical info for height \d+ not found/ })
  t.truthy(historyOf(height + 1n))
})

test('what is delegated is power at the next block, and comes back when unbonding is over', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, delegate(chain, 500n * token)))
  t.deepEqual(powers(chain), [1000, 1000, 1500])
  ok(t, chain.send(alice, undelegate(chain, 500n * token)))
  t.deepEqual(powers(chain), [1000, 1000, 1000])
  const { events } = chain.jump(61)
  const done = events.find(({ type }) => type === 'complete_unbonding')
  t.deepEqual(
    done?.attributes.map(({ key, value }) => `${key}=${value}`),
    [
      `amount=500000000000000000000atest`,
      `validator=${operator(chain, 0)}`,
      `delegator=${alice.address}`,
      'mode=EndBlock',
    ],
  )
  t.deepEqual(broken(chain), [])
})

test('a new validator signs with its power, takes part up to the maximum and leaves with its stake', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, create(2000n)))
  t.deepEqual(powers(chain), [1000, 1000, 1000, 2000])
  const self = {
    delegatorAddress: alice.address,
    validatorAddress: alice.operator,
    amount: coin(2000n * token),
  }
  ok(t, chain.send(alice, any(MsgUndelegate, self)))
  t.deepEqual(powers(chain), [1000, 1000, 1000])
  t.is(validator(chain, alice.operator).jailed, true)
  chain.jump(61)
  chain.block()
  t.throws(() => validator(chain, alice.operator), { message: 'no validator' })
  t.deepEqual(broken(chain), [])
})

test('stake moves between validators, but not on at once', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, delegate(chain, 500n * token)))
  const move = (from: number, to: number) =>
    any(MsgBeginRedelegate, {
      delegatorAddress: alice.address,
      validatorSrcAddress: operator(chain, from),
      validatorDstAddress: operator(chain, to),
      amount: coin(100n * token),
    })
  ok(t, chain.send(alice, move(0, 1)))
  t.deepEqual(powers(chain), [1000, 1100, 1400])
  t.is(chain.send(alice, move(1, 2)).code, 32)
  chain.jump(61)
  ok(t, chain.send(alice, move(1, 2)))
  t.deepEqual(powers(chain), [1000, 1100, 1400])
})

test('stake that leaves an unbonded validator arrives at once, and the answer has the zero time of Go', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, create(0n, '1', 10n)))
  const move = any(MsgBeginRedelegate, {
    delegatorAddress: alice.address,
    validatorSrcAddress: alice.operator,
    validatorDstAddress: operator(chain, 0),
    amount: coin(4n),
  })
  const { events, data } = chain.send(alice, move)
  const attributes = events.find(({ type }) => type === 'redelegate')?.attributes
  t.is(attributes?.find(({ key }) => key === 'completion_time')?.value, '0001-01-01T00:00:00Z')
  const [answer] = TxMsgData.decode(data ?? new Uint8Array(0)).msgResponses
  const { completionTime } = MsgBeginRedelegateResponse.decode(answer?.value ?? new Uint8Array(0))
  t.is(completionTime.seconds, -62_135_596_800n)
})

test('an unbonding can be taken back in part', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, delegate(chain, 500n * token)))
  ok(t, chain.send(alice, undelegate(chain, 300n * token)))
  const creationHeight = chain.state.height
  const cancel = (amount: bigint) =>
    any(MsgCancelUnbondingDelegation, {
      delegatorAddress: alice.address,
      validatorAddress: operator(chain, 0),
      amount: coin(amount),
      creationHeight,
    })
  t.is(chain.send(alice, cancel(301n * token)).code, 18)
  ok(t, chain.send(alice, cancel(100n * token)))
  t.deepEqual(powers(chain), [1000, 1000, 1300])
  const [entry] = [...chain.store('staking', 0x32)].map(([, value]) => UnbondingDelegation.decode(value))
  t.is(entry?.entries[0]?.balance, (200n * token).toString())
  t.deepEqual(broken(chain), [])
})

test('rewards are drawn, and with every change of the delegation', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, delegate(chain, 500n * token)))
  for (let i = 0; i < 3; i++) chain.block()
  const drawn = chain.send(
    alice,
    any(MsgWithdrawDelegatorReward, { delegatorAddress: alice.address, validatorAddress: operator(chain, 0) }),
  )
  ok(t, drawn)
  const amount = (events: typeof drawn.events) =>
    events.find(({ type }) => type === 'withdraw_rewards')?.attributes[0]?.value
  t.regex(amount(drawn.events) ?? '', /^[1-9]\d{6,}atest$/)
  chain.block()
  t.regex(amount(chain.send(alice, undelegate(chain, token)).events) ?? '', /^[1-9]\d{6,}atest$/)
})

test('commissions change once a day within their bounds', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, create(10n)))
  const edit = (commissionRate: string) =>
    any(MsgEditValidator, {
      description: {
        moniker: 'changed',
        identity: '[do-not-modify]',
        website: '',
        securityContact: '',
        details: '',
      },
      validatorAddress: alice.operator,
      commissionRate,
      minSelfDelegation: '',
    })
  t.is(chain.send(alice, edit('105000000000000000')).code, 12)
  chain.jump(86_401)
  t.is(chain.send(alice, edit('190000000000000000')).code, 15)
  ok(t, chain.send(alice, edit('105000000000000000')))
  t.is(validator(chain, alice.operator).description?.moniker, 'changed')
  t.is(validator(chain, alice.operator).commission?.commissionRates?.rate, '105000000000000000')
})

/** The consensus address of the validator of person `alice`. */
const consensus = ed25519Address(new Uint8Array(32).fill(9))

test('who does not sign is slashed and jailed, and may come back when the time is over', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, create(2000n)))
  chain.absent.add(Buffer.from(consensus).toString('hex'))
  let slashed: ReturnType<MessageChain['block']>['events'][number] | undefined
  for (let i = 0; i < 40 && slashed === undefined; i++) {
    slashed = chain.block().events.find(({ type }) => type === 'slash')
  }
  t.deepEqual(
    slashed?.attributes.map(({ key }) => key),
    ['address', 'power', 'reason', 'jailed', 'burned_coins', 'mode'],
  )
  t.is(slashed?.attributes.find(({ key }) => key === 'burned_coins')?.value, (20n * token).toString())
  t.is(validator(chain, alice.operator).jailed, true)
  t.deepEqual(powers(chain), [1000, 1000, 1000])
  const unjail = any(MsgUnjail, { validatorAddr: alice.operator })
  t.is(chain.send(alice, unjail).code, 4)
  chain.absent.clear()
  chain.jump(21)
  ok(t, chain.send(alice, unjail))
  t.deepEqual(powers(chain), [1000, 1000, 1000, 1980])
  t.deepEqual(broken(chain), [])
})

test('who signs twice is slashed, what unbonds since then too, and never comes back', (t) => {
  const chain = quickChain()
  ok(t, chain.send(alice, create(2000n)))
  chain.block()
  chain.block()
  const at = chain.state.height
  const self = {
    delegatorAddress: alice.address,
    validatorAddress: alice.operator,
    amount: coin(1000n * token),
  }
  ok(t, chain.send(alice, any(MsgUndelegate, self)))
  const fault: Misbehavior = {
    type: 'duplicateVote',
    address: consensus,
    power: 2000n,
    height: at,
    totalPower: 5000n,
    time: { seconds: chain.time - 1n, nanos: 0 },
  }
  const { events } = chain.block([], [fault])
  t.deepEqual(
    events.filter(({ type }) => type === 'slash').map(({ attributes }) => attributes.length),
    [5, 2],
  )
  const [entry] = [...chain.store('staking', 0x32)].map(([, value]) => UnbondingDelegation.decode(value))
  t.is(entry?.entries[0]?.balance, (950n * token).toString())
  t.is(validator(chain, alice.operator).tokens, (950n * token).toString())
  t.deepEqual(broken(chain), [])
  chain.jump(1000)
  t.is(chain.send(alice, any(MsgUnjail, { validatorAddr: alice.operator })).code, 4)
  t.deepEqual(
    chain
      .block([], [{ ...fault, height: chain.state.height, time: { seconds: chain.time, nanos: 0 } }])
      .events.filter(({ type }) => type === 'slash'),
    [],
  )
})

const refused = test.macro((t, from: typeof alice, make: (chain: MessageChain) => Any, name: string, log: RegExp) => {
  const chain = quickChain()
  const result = chain.send(from, make(chain))
  t.is(`${result.codespace} ${result.code}`, name)
  t.regex(result.log, log)
  t.deepEqual(broken(chain), [])
})
test(
  'more than is bonded cannot be unbonded',
  refused,
  alice,
  (chain) => undelegate(chain, token),
  'staking 19',
  /no delegation for \(address, validator\) tuple$/,
)
test(
  'a foreign coin cannot be staked',
  refused,
  alice,
  (chain) =>
    any(MsgDelegate, {
      delegatorAddress: alice.address,
      validatorAddress: operator(chain, 0),
      amount: { denom: 'foo', amount: '1' },
    }),
  'sdk 18',
  /invalid coin denomination: got foo, expected atest: invalid request$/,
)
test(
  'less than nothing cannot be staked',
  refused,
  alice,
  (chain) => delegate(chain, -1n),
  'sdk 18',
  /invalid delegation amount: invalid request$/,
)
test(
  'a validator that is not there takes no stake',
  refused,
  bob,
  () => any(MsgDelegate, { delegatorAddress: bob.address, validatorAddress: bob.operator, amount: coin(1n) }),
  'staking 3',
  /validator does not exist$/,
)
test(
  'an operator of another prefix is no validator',
  refused,
  bob,
  () =>
    any(MsgDelegate, {
      delegatorAddress: bob.address,
      validatorAddress: toBech32('osmovaloper', new Uint8Array(20)),
      amount: coin(1n),
    }),
  'sdk 7',
  /invalid validator address: .*hrp does not match bech32 prefix: expected 'cosmosvaloper' got 'osmovaloper': internal logic error: invalid address$/,
)

test('an operator lowers a power below what others have delegated', (t) => {
  const chain = quickChain()
  chain.send(alice, delegate(chain, 500n * token))
  const publicKey = chain.validators[0]?.publicKey.bytes ?? new Uint8Array(0)
  const edit = { type: 'setPower', publicKey, moniker: 'validator0', power: 1n } as const
  const { validatorUpdates } = chain.application.edit(chain.state, [edit])
  t.deepEqual(
    validatorUpdates.map(({ power }) => power),
    [1n],
  )
})
