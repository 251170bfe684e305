/** What is no good is refused in the SDK's words, and changes nothing but fee and sequence. */
import test from 'ava'
import fc from 'fast-check'
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { GenericAuthorization } from 'cosmjs-types/cosmos/authz/v1beta1/authz'
import { MsgExec, MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { MsgWithdrawDelegatorReward } from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { Equivocation } from 'cosmjs-types/cosmos/evidence/v1beta1/evidence'
import { MsgSubmitEvidence } from 'cosmjs-types/cosmos/evidence/v1beta1/tx'
import { MsgVote } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgUnjail } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { MsgBeginRedelegate, MsgDelegate, MsgUndelegate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { broken } from '../../helpers/invariants.ts'
import { any, type MessageChain, person, type Person, type TxOptions } from '../../helpers/messageChain.ts'
import { stateOf } from '../../helpers/precompiles.ts'
import { operatorsOf, quickChain } from '../../helpers/randomMessages.ts'

const [alice, bob] = [person(0), person(1)]
const coins = (amount: string, denom = 'atest') => [{ denom, amount }]
const send = (amount: readonly { denom: string; amount: string }[], from = alice): Any =>
  any(MsgSend, { fromAddress: from.address, toAddress: bob.address, amount })

type Made = { readonly from?: Person; readonly message: Any; readonly options?: TxOptions }

const checked = test.macro((t, make: (chain: MessageChain) => Made, name: string, log: RegExp) => {
  const chain = quickChain()
  const { from = alice, message, options } = make(chain)
  const result = chain.check(chain.signed(from, [message], options))
  t.is(`${result.codespace} ${result.code}`, name, result.log)
  t.regex(result.log, log)
})
const run = test.macro((t, make: (chain: MessageChain) => Made, name: string, log: RegExp) => {
  const [chain, twin] = [quickChain(), quickChain()]
  const { from = alice, message, options } = make(chain)
  make(twin)
  const { sequence } = chain.account(from.address)
  const result = chain.send(from, message, options)
  twin.block()
  t.is(`${result.codespace} ${result.code}`, name, result.log)
  t.regex(result.log, log)
  t.is(chain.account(from.address).sequence, sequence + 1n)
  t.deepEqual(broken(chain), [])
  t.deepEqual(stateOf(chain, untouched), stateOf(twin, untouched))
})

/** What neither the fee nor the sequence is kept in. */
const untouched = [
  'authz',
  'consensus',
  'distribution',
  'erc20',
  'evidence',
  'feegrant',
  'gov',
  'mint',
  'precisebank',
  'slashing',
  'staking',
  'upgrade',
]

test(
  'an unknown type',
  checked,
  () => ({ message: Any.fromPartial({ typeUrl: '/a.B' }) }),
  'sdk 2',
  /^unable to resolve type URL \/a\.B: tx parse error/,
)
test(
  'a type that every object has',
  checked,
  () => ({ message: Any.fromPartial({ typeUrl: 'constructor' }) }),
  'sdk 2',
  /^unable to resolve type URL constructor: tx parse error/,
)
test(
  'bytes that are no message',
  checked,
  () => ({ message: Any.fromPartial({ typeUrl: MsgSend.typeUrl, value: Uint8Array.of(0xff, 0xff) }) }),
  'sdk 2',
  /tx parse error$/,
)
test(
  'a signer who is not asked',
  checked,
  () => ({ message: send(coins('1')), from: bob }),
  'sdk 8',
  /^pubKey does not match signer address cosmos1\w+ with signer index: 0: invalid pubkey$/,
)
test(
  'a memo that is too long',
  checked,
  () => ({ message: send(coins('1')), options: { memo: 'm'.repeat(257) } }),
  'sdk 12',
  /^maximum number of characters is 256 but received 257 characters: memo too large$/,
)
test(
  'a sequence from the future',
  checked,
  () => ({ message: send(coins('1')), options: { sequence: 7n } }),
  'sdk 32',
  /^account sequence mismatch, expected 0, got 7: incorrect account sequence$/,
)
test(
  'a fee below the base fee',
  checked,
  () => ({ message: send(coins('1')), options: { fee: '1' } }),
  'sdk 13',
  /^gas prices too low, got: 0\.000002000000000000atest required: \d+\.\d+atest\. Please retry using a higher gas price or a higher fee: insufficient fee$/,
)
test('no fee', checked, () => ({ message: send(coins('1')), options: { fee: '' } }), 'sdk 13', /insufficient fee$/)
test(
  'a gas limit beyond the block',
  checked,
  () => ({ message: send(coins('1')), options: { gas: 30_000_001n } }),
  'sdk 41',
  /^tx gas limit 30000001 exceeds block max gas 30000000: invalid gas limit$/,
)
test(
  'a gas limit below the cost',
  checked,
  () => ({ message: send(coins('1')), options: { gas: 1000n } }),
  'sdk 11',
  /^out of gas in location: \w+; gasWanted: 1000, gasUsed: \d+: out of gas$/,
)
test(
  'a granter who grants nothing',
  checked,
  () => ({ message: send(coins('1')), options: { granter: bob.address } }),
  'sdk 38',
  /does not allow to pay fees for .*fee-grant not found: not found$/,
)

test(
  'less than nothing is no amount',
  run,
  () => ({ message: send(coins('-1')) }),
  'sdk 10',
  /^failed to execute message; message index: 0: -1atest: invalid coins$/,
)
test('nothing is no amount', run, () => ({ message: send([]) }), 'sdk 10', /: invalid coins$/)
test(
  'an amount that does not fit is no amount',
  checked,
  () => ({ message: send(coins('1'.repeat(90))) }),
  'sdk 2',
  /^integer out of range; got: 296, max: 256: tx parse error/,
)
test(
  'an unknown coin is had by nobody',
  run,
  () => ({ message: send(coins('1', 'nothing')) }),
  'sdk 5',
  /spendable balance 0nothing is smaller than 1nothing: insufficient funds$/,
)
test(
  'a coin twice is no amount',
  run,
  () => ({ message: send([...coins('1'), ...coins('2')]) }),
  'sdk 10',
  /: invalid coins$/,
)
test(
  'coins out of order are no amount',
  run,
  () => ({ message: send([...coins('1', 'b2c'), ...coins('2', 'a2c')]) }),
  'sdk 10',
  /: invalid coins$/,
)
test('a name that is none is no coin', run, () => ({ message: send(coins('1', '7!')) }), 'sdk 10', /: invalid coins$/)
test(
  'a module takes no coins',
  run,
  (chain) => ({
    message: any(MsgSend, { fromAddress: alice.address, toAddress: moduleOf(chain), amount: coins('1') }),
  }),
  'sdk 4',
  /cosmos1\w+ is not allowed to receive funds: unauthorized$/,
)
test(
  'an address of another chain receives nothing',
  run,
  () => ({
    message: any(MsgSend, {
      fromAddress: alice.address,
      toAddress: 'osmo1cyyzpxplxdzkeea7kwsydadg87357qnahakaks',
      amount: coins('1'),
    }),
  }),
  'sdk 7',
  /invalid to address: hrp does not match bech32 prefix: expected 'cosmos' got 'osmo'/,
)
test(
  'outputs that are not the inputs are refused',
  run,
  () => ({
    message: any(MsgMultiSend, {
      inputs: [{ address: alice.address, coins: coins('5') }],
      outputs: [{ address: bob.address, coins: coins('4') }],
    }),
  }),
  'bank 4',
  /sum inputs != sum outputs$/,
)
test(
  'more than is bonded is not unbonded',
  run,
  (chain) => ({
    message: any(MsgUndelegate, {
      delegatorAddress: alice.address,
      validatorAddress: operatorsOf(chain)[0] ?? '',
      amount: coins('1')[0],
    }),
  }),
  'staking 19',
  /no delegation for \(address, validator\) tuple$/,
)

/** Alice has staked 1,000 with the first validator. */
const staked = (chain: MessageChain): { delegatorAddress: string; validatorAddress: string } => {
  const stake = { delegatorAddress: alice.address, validatorAddress: operatorsOf(chain)[0] ?? '' }
  chain.send(alice, any(MsgDelegate, { ...stake, amount: coins('1000')[0] }))
  return stake
}
const largest = ((1n << 256n) - 1n).toString()

test(
  'more than the stake is not unbonded',
  run,
  (chain) => ({
    message: any(MsgUndelegate, { ...staked(chain), amount: coins('1001')[0] }),
  }),
  'sdk 18',
  /: invalid shares amount: invalid request$/,
)
test(
  'less than nothing is not unbonded',
  run,
  (chain) => ({
    message: any(MsgUndelegate, { ...staked(chain), amount: coins('-1')[0] }),
  }),
  'sdk 18',
  /: invalid shares amount: invalid request$/,
)
test(
  'more than the stake is not moved',
  run,
  (chain) => {
    const { delegatorAddress, validatorAddress: validatorSrcAddress } = staked(chain)
    const validatorDstAddress = operatorsOf(chain)[1] ?? ''
    return {
      message: any(MsgBeginRedelegate, {
        delegatorAddress,
        validatorSrcAddress,
        validatorDstAddress,
        amount: coins('1001')[0],
      }),
    }
  },
  'sdk 18',
  /: invalid shares amount: invalid request$/,
)
test(
  'an unknown coin is not staked',
  run,
  (chain) => ({
    message: any(MsgDelegate, { ...staked(chain), amount: coins('5', 'nothing')[0] }),
  }),
  'sdk 18',
  /: invalid coin denomination: got nothing, expected atest: invalid request$/,
)
test(
  'less than nothing is not staked',
  run,
  (chain) => ({
    message: any(MsgDelegate, { ...staked(chain), amount: coins('-5')[0] }),
  }),
  'sdk 18',
  /: invalid delegation amount: invalid request$/,
)
test(
  'more than there is of the coin is not staked',
  run,
  (chain) => ({
    message: any(MsgDelegate, { ...staked(chain), amount: coins(largest)[0] }),
  }),
  'sdk 5',
  /is smaller than \d+atest: insufficient funds$/,
)
test(
  'the largest amount is had by nobody',
  run,
  () => ({ message: send(coins(largest)) }),
  'sdk 5',
  /is smaller than \d+atest: insufficient funds$/,
)
test(
  'nobody unbonds from a validator who is none',
  run,
  () => ({
    message: any(MsgUndelegate, {
      delegatorAddress: alice.address,
      validatorAddress: alice.operator,
      amount: coins('1')[0],
    }),
  }),
  'staking 3',
  /: validator does not exist$/,
)
test(
  'a vote on a proposal that is none is refused',
  run,
  () => ({
    message: any(MsgVote, { proposalId: 9n, voter: alice.address, option: 1 }),
  }),
  'gov 3',
  /: 9: inactive proposal$/,
)
test(
  'a vote that is none is refused',
  run,
  () => ({
    message: any(MsgVote, { proposalId: 9n, voter: alice.address, option: 9 }),
  }),
  'gov 7',
  /: invalid vote option$/,
)
test(
  'who grants to himself is refused',
  run,
  () => ({
    message: any(MsgGrant, {
      granter: alice.address,
      grantee: alice.address,
      grant: {
        authorization: any(GenericAuthorization, { msg: MsgSend.typeUrl }),
      },
    }),
  }),
  'authz 7',
  /grantee and granter should be different/,
)
test(
  'what was not granted is not carried out',
  run,
  () => ({
    message: any(MsgExec, { grantee: alice.address, msgs: [send(coins('1'), bob)] }),
  }),
  'authz 2',
  /authorization not found$/,
)
test(
  'a permission for a type that is none is refused',
  run,
  () => ({
    message: any(MsgGrant, {
      granter: alice.address,
      grantee: bob.address,
      grant: {
        authorization: any(GenericAuthorization, { msg: '/a.B' }),
      },
    }),
  }),
  'sdk 29',
  /\/a\.B doesn't exist\.?: invalid type$/,
)
test(
  'who has staked nothing draws no rewards',
  run,
  (chain) => ({
    message: any(MsgWithdrawDelegatorReward, {
      delegatorAddress: bob.address,
      validatorAddress: operatorsOf(chain)[0] ?? '',
    }),
    from: bob,
  }),
  'staking 19',
  /: no delegation for \(address, validator\) tuple$/,
)
test(
  'who is no validator is not let out of jail',
  run,
  () => ({
    message: any(MsgUnjail, { validatorAddr: alice.operator }),
  }),
  'staking 3',
  /: validator does not exist$/,
)

const evidence = (height: bigint, seconds = 1n): Any =>
  any(MsgSubmitEvidence, {
    submitter: alice.address,
    evidence: any(Equivocation, {
      height,
      power: 1n,
      time: { seconds, nanos: 0 },
      consensusAddress: 'cosmosvalcons1',
    }),
  })
test(
  'evidence without a height is refused',
  run,
  () => ({ message: evidence(0n) }),
  'evidence 3',
  /: failed basic validation: invalid equivocation height: 0: invalid evidence$/,
)
test(
  'evidence of the year 1970 is refused with its time as Go prints it',
  run,
  () => ({ message: evidence(5n, 0n) }),
  'evidence 3',
  /: failed basic validation: invalid equivocation time: 1970-01-01 00:00:00 \+0000 UTC: invalid evidence$/,
)
test(
  'evidence in order is what evmd has no way for',
  run,
  () => ({ message: evidence(5n) }),
  'undefined 111222',
  /^recovered: runtime error: invalid memory address or nil pointer dereference\nstack:\n: panic$/,
)

/** The address of the pool of bonded tokens. */
function moduleOf(_: MessageChain): string {
  return 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh'
}

test('a transaction whose height has passed is refused', (t) => {
  const chain = quickChain()
  const tx = chain.signed(alice, [send(coins('1'))], { timeoutHeight: 2n })
  for (let i = 0; i < 3; i++) chain.block()
  const [result] = chain.block([tx]).txResults
  t.is(result?.log, 'block height: 5, timeout height: 2: tx timeout height')
  t.is(result?.code, 30)
})

test('the second of two messages that fails takes the first back', (t) => {
  const chain = quickChain()
  const [result] = chain.block([chain.signed(alice, [send(coins('5')), send(coins('-5'))])]).txResults
  t.is(result?.log, 'failed to execute message; message index: 1: -5atest: invalid coins')
  t.false(result?.events.some(({ attributes }) => attributes.some(({ value }) => value === '5atest')))
  t.deepEqual(broken(chain), [])
})

test('damaged transactions never stop a block and never pass', (t) => {
  const chain = quickChain()
  const good = chain.signed(alice, [send(coins('5'))])
  fc.assert(
    fc.property(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, bits, cut) => {
      const bad = cut ? good.slice(0, at) : good.map((byte, index) => (index === at ? byte ^ bits : byte))
      t.not(chain.check(bad).code, 0)
    }),
    { seed: 3, numRuns: 600 },
  )
  const { txResults } = chain.block(
    Array.from({ length: 40 }, (_, at) => good.map((byte, index) => (index === at * 5 ? byte ^ 1 : byte))),
  )
  t.true(txResults.every(({ code }) => code !== 0))
  t.is(chain.block([good]).txResults[0]?.code, 0)
})

const field99 = [0x9a, 0x06, 0]
const updateClient = '/ibc.core.client.v1.MsgUpdateClient'
const unknown = (go: string): RegExp =>
  new RegExp(`^errUnknownField "\\*${go}": {TagNum: 99, WireType:"bytes"}: tx parse error`)
/** Messages with what the real node says of them when they come in a signed transaction. */
const unresolved: Readonly<Record<string, readonly [() => Any, RegExp]>> = {
  'a field of a message': [() => extended(send(coins('1')), field99), unknown('types.MsgSend')],
  'a field of a message in a message': [
    () => any(MsgExec, { grantee: alice.address, msgs: [extended(send(coins('1')), field99)] }),
    unknown('types.MsgSend'),
  ],
  'a field of a coin': [() => extended(send([]), [0x1a, field99.length, ...field99]), unknown('types.Coin')],
  'a key instead of a message': [
    () => Any.fromPartial({ typeUrl: '/cosmos.crypto.secp256k1.PubKey' }),
    /^no concrete type registered for type URL .*secp256k1\.PubKey against interface \*interface/,
  ],
  'a message of IBC': [
    () => Any.fromPartial({ typeUrl: '/ibc.core.client.v1.MsgCreateClient' }),
    /^chainstage does not simulate IBC and refuses \/ibc\.core\.client\.v1\.MsgCreateClient: tx parse error/,
  ],
  'a message of IBC in a message': [
    () => any(MsgExec, { grantee: alice.address, msgs: [{ typeUrl: updateClient, value: new Uint8Array(0) }] }),
    /^chainstage does not simulate IBC and refuses \/ibc\.core\.client\.v1\.MsgUpdateClient: tx parse error/,
  ],
  'a type that nobody registered': [
    () => Any.fromPartial({ typeUrl: '/x.Y' }),
    /^unable to resolve type URL \/x\.Y: tx parse error/,
  ],
}
function extended({ typeUrl, value }: Any, bytes: readonly number[]): Any {
  return Any.fromPartial({ typeUrl, value: Uint8Array.of(...value, ...bytes) })
}
for (const [title, [message, text]] of Object.entries(unresolved)) {
  test(`${title} is refused before anything else is looked at`, (t) => {
    const { code, log } = quickChain().check(quickChain().signed(alice, [message()]))
    t.is(code, 2)
    t.regex(log, text)
  })
}

test('a body with a field that nobody knows is refused', (t) => {
  const chain = quickChain()
  const raw = TxRaw.decode(chain.signed(alice, [send(coins('1'))]))
  const body = TxBody.encode(TxBody.decode(raw.bodyBytes)).finish()
  const { code, log } = chain.check(TxRaw.encode({ ...raw, bodyBytes: Uint8Array.of(...body, 0x50, 1) }).finish())
  t.is(code, 2)
  t.regex(log, /^errUnknownField "\*tx\.TxBody": \{TagNum: 10, WireType:"varint"\}: tx parse error/)
})
