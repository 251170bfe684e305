/** Parameters that would break a module are refused in its words, and stay as they were. */
import test from 'ava'
import { MsgSubmitProposal } from 'cosmjs-types/cosmos/gov/v1/tx'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { packedOfJson } from '../../../../../src/codec/schema/protoJsonRead.ts'
import { findHandler } from '../../../../../src/app/evmd/messages.ts'
import { isSendEnabled } from '../../../../../src/app/evmd/modules/bank/params.ts'
import { startChain } from '../../../../helpers/evmdChain.ts'
import { any, person } from '../../../../helpers/messageChain.ts'
import { quickChain } from '../../../../helpers/randomMessages.ts'
import { contextOf, stateOf } from '../../../../helpers/precompiles.ts'

const alice = person(0)
const authority = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
const stores = ['acc', 'distribution', 'evm', 'feemarket', 'gov', 'mint', 'slashing', 'staking']
const half = '0.500000000000000000'
const staking = '0x0000000000000000000000000000000000000800'
const p256 = '0x0000000000000000000000000000000000000100'
const deposit = (amount: string) => [{ denom: 'atest', amount }]

/** Parameters that are in order, by module; each is changed in one member below. */
const good = {
  'cosmos.auth.v1beta1': {
    max_memo_characters: '256',
    tx_sig_limit: '7',
    tx_size_cost_per_byte: '10',
    sig_verify_cost_ed25519: '590',
    sig_verify_cost_secp256k1: '1000',
  },
  'cosmos.staking.v1beta1': {
    unbonding_time: '60s',
    max_validators: 5,
    max_entries: 7,
    historical_entries: 5,
    bond_denom: 'atest',
    min_commission_rate: '0',
  },
  'cosmos.slashing.v1beta1': {
    signed_blocks_window: '9',
    min_signed_per_window: half,
    downtime_jail_duration: '60s',
    slash_fraction_double_sign: '0.05',
    slash_fraction_downtime: '0.01',
  },
  'cosmos.mint.v1beta1': {
    mint_denom: 'atest',
    inflation_rate_change: half,
    inflation_max: '0.2',
    inflation_min: '0.1',
    goal_bonded: half,
    blocks_per_year: '9',
  },
  'cosmos.distribution.v1beta1': {
    community_tax: '0.02',
    base_proposer_reward: '0',
    bonus_proposer_reward: '0',
    withdraw_addr_enabled: true,
  },
  'cosmos.gov.v1': {
    min_deposit: deposit('5'),
    expedited_min_deposit: deposit('9'),
    max_deposit_period: '60s',
    voting_period: '60s',
    expedited_voting_period: '30s',
    quorum: half,
    threshold: half,
    expedited_threshold: '0.6',
    veto_threshold: '0.3',
    min_initial_deposit_ratio: '0',
    proposal_cancel_ratio: half,
    min_deposit_ratio: '0.01',
  },
  'cosmos.evm.feemarket.v1': {
    base_fee_change_denominator: 8,
    elasticity_multiplier: 2,
    enable_height: '0',
    base_fee: '1',
    min_gas_price: '0',
    min_gas_multiplier: half,
  },
  'cosmos.evm.vm.v1': {
    evm_denom: 'atest',
    extra_eips: ['2', '3855'],
    evm_channels: ['channel-10'],
    active_static_precompiles: [p256, staking],
    access_control: { create: { access_type: 1, access_control_list: [] }, call: { access_type: 0 } },
    history_serve_window: '8192',
  },
} as const

type Module = keyof typeof good

function run(module: Module, change: object) {
  const chain = startChain()
  const context = contextOf(chain)
  const params = { ...good[module], ...change }
  const packed = packedOfJson({ '@type': `/${module}.MsgUpdateParams`, authority, params })
  const before = stateOf(chain, stores)
  return {
    send: () => findHandler(packed.typeUrl)?.run(context, packed.value),
    isChanged: () =>
      stores.some((name) =>
        [...context.draft.raw(name as never).iterate({})].some(
          ([key, value]) =>
            !before.includes(`${name} ${Buffer.from(key).toString('hex')} ${Buffer.from(value).toString('hex')}`),
        ),
      ),
  }
}

for (const module of Object.keys(good) as Module[]) {
  test(`parameters of ${module} that are in order take their place`, (t) => {
    const { send, isChanged } = run(module, {})
    t.notThrows(send)
    t.is(isChanged(), module !== 'cosmos.auth.v1beta1' && module !== 'cosmos.distribution.v1beta1')
  })
}

const refusals: readonly (readonly [Module, object, RegExp])[] = [
  ['cosmos.auth.v1beta1', { tx_sig_limit: '0' }, /^invalid tx signature limit: 0$/],
  ['cosmos.auth.v1beta1', { tx_size_cost_per_byte: '0' }, /^invalid tx size cost per byte: 0$/],
  ['cosmos.staking.v1beta1', { unbonding_time: '0s' }, /^unbonding time must be positive: 0$/],
  ['cosmos.staking.v1beta1', { max_validators: 0 }, /^max validators must be positive: 0$/],
  ['cosmos.staking.v1beta1', { bond_denom: '' }, /^bond denom cannot be blank$/],
  ['cosmos.staking.v1beta1', { min_commission_rate: '1.5' }, /cannot be greater than 100%: 1\.50/],
  ['cosmos.slashing.v1beta1', { signed_blocks_window: '0' }, /window must be positive: 0$/],
  ['cosmos.slashing.v1beta1', { slash_fraction_downtime: '2' }, /downtime slash fraction too large/],
  ['cosmos.mint.v1beta1', { blocks_per_year: '0' }, /^blocks per year must be positive: 0$/],
  ['cosmos.mint.v1beta1', { inflation_min: '0.3' }, /^max inflation \(0\.20*\) must be greater/],
  ['cosmos.mint.v1beta1', { goal_bonded: '0' }, /^goal bonded must be positive: 0\.0{18}$/],
  ['cosmos.distribution.v1beta1', { community_tax: '1.1' }, /^community tax too large: 1\.1/],
  ['cosmos.gov.v1', { min_deposit: [] }, /^invalid minimum deposit: $/],
  ['cosmos.gov.v1', { expedited_min_deposit: deposit('5') }, /greater than minimum deposit: 5atest$/],
  ['cosmos.gov.v1', { quorum: 'much' }, /^invalid quorum: much$/],
  ['cosmos.gov.v1', { threshold: '0' }, /^vote threshold must be positive: 0\.0{18}$/],
  ['cosmos.gov.v1', { expedited_threshold: half }, /must be greater than the regular threshold/],
  ['cosmos.gov.v1', { expedited_voting_period: '60s' }, /60s must be strictly less that the regular/],
  ['cosmos.evm.feemarket.v1', { base_fee_change_denominator: 0 }, /denominator cannot be 0$/],
  ['cosmos.evm.feemarket.v1', { elasticity_multiplier: 0 }, /multiplier cannot be zero: 0$/],
  ['cosmos.evm.feemarket.v1', { min_gas_multiplier: '1.5' }, /^value cannot be greater than 1: 1\.5/],
  ['cosmos.evm.vm.v1', { extra_eips: ['7'] }, /^EIP 7 is not activateable, valid EIPs are: \[0 1 1153 .* 7939\]$/],
  ['cosmos.evm.vm.v1', { extra_eips: ['2', '2'] }, /^found duplicate EIP: 2$/],
  ['cosmos.evm.vm.v1', { active_static_precompiles: ['0x800'] }, /^invalid precompile 0x800$/],
  ['cosmos.evm.vm.v1', { active_static_precompiles: [staking, staking] }, /^duplicate precompile 0x0/],
  ['cosmos.evm.vm.v1', { active_static_precompiles: [staking, p256] }, /^precompiles need to be sorted: \[0x0.*800 0x/],
  ['cosmos.evm.vm.v1', { access_control: { create: { access_type: 5 } } }, /^invalid access type: 5$/],
  ['cosmos.evm.vm.v1', { access_control: { call: { access_control_list: ['a'] } } }, /^invalid whitelist address: a$/],
  ['cosmos.evm.vm.v1', { evm_channels: ['a/b'] }, /cannot contain separator '\/': .*: invalid channel identifier$/],
]

for (const [module, change, message] of refusals) {
  test(`${module} refuses ${JSON.stringify(change)}`, (t) => {
    const { send, isChanged } = run(module, change)
    t.throws(send, { message })
    t.false(isChanged())
  })
}

test('a transaction or proposal with parameters that are always invalid is refused at once', (t) => {
  const chain = quickChain()
  const params = { ...good['cosmos.evm.vm.v1'], extra_eips: ['7'] }
  const packed = Any.fromPartial(packedOfJson({ '@type': '/cosmos.evm.vm.v1.MsgUpdateParams', authority, params }))
  t.regex(chain.check(chain.signed(alice, [packed])).log, /^EIP 7 is not activateable/)
  const { code, codespace, log } = chain.send(
    alice,
    any(MsgSubmitProposal, {
      proposer: alice.address,
      title: 'title',
      summary: 'summary',
      messages: [packed],
      initialDeposit: deposit('1000'),
    }),
  )
  t.deepEqual([codespace, code], ['gov', 12])
  t.regex(log, /EIP 7 is not activateable, .*: invalid proposal message$/)
})

const coin = (name: string) => ({ denom: name, enabled: true })
const messages: readonly (readonly [string, object, string])[] = [
  [
    'bank.v1beta1.MsgUpdateParams',
    { params: { send_enabled: [coin('foo')] } },
    'use of send_enabled in params is no longer',
  ],
  [
    'bank.v1beta1.MsgSetSendEnabled',
    { send_enabled: [coin('foo'), coin('foo')] },
    'duplicate denom entries found for "foo"',
  ],
  ['bank.v1beta1.MsgSetSendEnabled', { send_enabled: [coin('1')] }, 'invalid SendEnabled denom "1": invalid denom: 1'],
  ['bank.v1beta1.MsgSetSendEnabled', { use_default_for: ['1'] }, 'invalid UseDefaultFor denom "1": invalid denom: 1'],
  [
    'distribution.v1beta1.MsgCommunityPoolSpend',
    { recipient: authority, amount: [] },
    'amount cannot be nil: invalid coins',
  ],
  [
    'upgrade.v1beta1.MsgSoftwareUpgrade',
    { plan: { name: 'v2', height: '9', time: '1970-01-01T00:00:00Z' } },
    'time-based upgrades have been deprecated in the SDK',
  ],
  [
    'upgrade.v1beta1.MsgSoftwareUpgrade',
    { plan: { name: 'v2', height: '9', upgraded_client_state: { '@type': '/cosmos.bank.v1beta1.MsgSend' } } },
    'upgrade logic for IBC has been moved to the IBC module',
  ],
]
for (const [name, members, text] of messages) {
  test(`${name} refuses ${JSON.stringify(members)}`, (t) => {
    const packed = packedOfJson({ '@type': `/cosmos.${name}`, authority, ...members })
    const context = contextOf(startChain())
    const thrown = t.throws(() => findHandler(packed.typeUrl)?.run(context, packed.value))
    t.true(thrown?.message.startsWith(text), thrown?.message)
  })
}

test('what may be sent is stored as Protobuf booleans, of which false is empty', (t) => {
  const context = contextOf(startChain())
  const entries = [coin('bar'), { ...coin('foo'), enabled: false }]
  const packed = packedOfJson({ '@type': '/cosmos.bank.v1beta1.MsgSetSendEnabled', authority, send_enabled: entries })
  findHandler(packed.typeUrl)?.run(context, packed.value)
  const stored = (denom: string) => context.store('bank').get(Buffer.from(`\x04${denom}`))
  t.deepEqual(stored('bar'), Uint8Array.of(8, 1))
  t.deepEqual(stored('foo'), new Uint8Array(0))
  t.deepEqual([isSendEnabled(context, 'bar'), isSendEnabled(context, 'foo')], [true, false])
})

const foreigners: Readonly<Record<string, RegExp>> = {
  'cosmos.auth.v1beta1.MsgUpdateParams': /^expected gov account as only .*; invalid authority; expe/,
  'cosmos.staking.v1beta1.MsgUpdateParams': /^invalid authority; expected cosmos1\w+, got cosmos1/,
  'cosmos.evm.vm.v1.MsgUpdateParams': /^invalid authority, expected cosmos1\w+, got cosmos1/,
  'cosmos.upgrade.v1beta1.MsgCancelUpgrade': /^expected cosmos1\w+ got cosmos1\w+: expected authority acc/,
}

for (const [name, message] of Object.entries(foreigners)) {
  test(`${name} of somebody else is refused in the words of its module`, (t) => {
    const packed = packedOfJson({
      '@type': `/${name}`,
      authority: 'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
    })
    const context = contextOf(startChain())
    t.throws(() => findHandler(packed.typeUrl)?.run(context, packed.value), { message })
  })
}
