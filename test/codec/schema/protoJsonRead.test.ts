import test from 'ava'
import { AuthInfo } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { MsgUpdateParams as AuthUpdate } from 'cosmjs-types/cosmos/auth/v1beta1/tx'
import { MsgSend, MsgSetSendEnabled, MsgUpdateParams as BankUpdate } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { MsgUpdateParams as ConsensusUpdate } from 'cosmjs-types/cosmos/consensus/v1/tx'
import {
  MsgCommunityPoolSpend,
  MsgUpdateParams as DistributionUpdate,
} from 'cosmjs-types/cosmos/distribution/v1beta1/tx'
import { MsgUpdateParams as GovUpdate, MsgVoteWeighted } from 'cosmjs-types/cosmos/gov/v1/tx'
import { MsgUpdateParams as MintUpdate } from 'cosmjs-types/cosmos/mint/v1beta1/tx'
import { MsgUpdateParams as SlashingUpdate } from 'cosmjs-types/cosmos/slashing/v1beta1/tx'
import { MsgCreateValidator, MsgUpdateParams as StakingUpdate } from 'cosmjs-types/cosmos/staking/v1beta1/tx'
import { MsgCancelUpgrade, MsgSoftwareUpgrade } from 'cosmjs-types/cosmos/upgrade/v1beta1/tx'
import { aminoOf } from '../../../src/codec/schema/amino.ts'
import { packedOfJson, ProtoJsonError } from '../../../src/codec/schema/protoJsonRead.ts'

const authority = 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn'
const half = '0.500000000000000000'
const atomics = `5${'0'.repeat(17)}`
const text = (value: string) => new TextEncoder().encode(value)

type Codec = {
  readonly typeUrl: string
  readonly fromPartial: (value: never) => unknown
  readonly decode: (bytes: Uint8Array) => unknown
}

/** JSON as the SDK writes it, what cosmjs-types reads out of the bytes, the name in amino JSON. */
const cases: readonly (readonly [Codec, object, object, string])[] = [
  [
    AuthUpdate,
    { authority, params: { max_memo_characters: '9', sig_verify_cost_secp256k1: '7' } },
    { authority, params: { maxMemoCharacters: 9n, sigVerifyCostSecp256k1: 7n } },
    'cosmos-sdk/x/auth/MsgUpdateParams',
  ],
  [
    BankUpdate,
    { authority, params: { send_enabled: [], default_send_enabled: true } },
    { authority, params: { defaultSendEnabled: true } },
    'cosmos-sdk/x/bank/MsgUpdateParams',
  ],
  [
    MsgSetSendEnabled,
    {
      authority,
      send_enabled: [{ denom: 'a', enabled: true }],
      useDefaultFor: ['b'],
    },
    { authority, sendEnabled: [{ denom: 'a', enabled: true }], useDefaultFor: ['b'] },
    'cosmos-sdk/MsgSetSendEnabled',
  ],
  [
    StakingUpdate,
    {
      authority,
      params: {
        unbonding_time: '1814400.5s',
        max_validators: 100,
        bond_denom: 'atest',
        min_commission_rate: half,
      },
    },
    {
      authority,
      params: {
        unbondingTime: { seconds: 1_814_400n, nanos: 500_000_000 },
        maxValidators: 100,
        bondDenom: 'atest',
        minCommissionRate: atomics,
      },
    },
    'cosmos-sdk/x/staking/MsgUpdateParams',
  ],
  [
    SlashingUpdate,
    {
      authority,
      params: {
        signed_blocks_window: '100',
        min_signed_per_window: half,
        downtime_jail_duration: '600s',
        slash_fraction_double_sign: '0.05',
        slash_fraction_downtime: '0.01',
      },
    },
    {
      authority,
      params: {
        signedBlocksWindow: 100n,
        minSignedPerWindow: text(atomics),
        downtimeJailDuration: { seconds: 600n },
        slashFractionDoubleSign: text(`5${'0'.repeat(16)}`),
        slashFractionDowntime: text(`1${'0'.repeat(16)}`),
      },
    },
    'cosmos-sdk/x/slashing/MsgUpdateParams',
  ],
  [
    MintUpdate,
    {
      authority,
      params: {
        mint_denom: 'a',
        inflation_rate_change: half,
        inflation_max: half,
        inflation_min: half,
        goal_bonded: half,
        blocks_per_year: '5',
      },
    },
    {
      authority,
      params: {
        mintDenom: 'a',
        inflationRateChange: atomics,
        inflationMax: atomics,
        inflationMin: atomics,
        goalBonded: atomics,
        blocksPerYear: 5n,
      },
    },
    'cosmos-sdk/x/mint/MsgUpdateParams',
  ],
  [
    GovUpdate,
    {
      authority,
      params: {
        min_deposit: [{ denom: 'a', amount: '7' }],
        voting_period: '30s',
        quorum: half,
        burn_vote_veto: true,
      },
    },
    {
      authority,
      params: {
        minDeposit: [{ denom: 'a', amount: '7' }],
        votingPeriod: { seconds: 30n },
        quorum: half,
        burnVoteVeto: true,
      },
    },
    'cosmos-sdk/x/gov/v1/MsgUpdateParams',
  ],
  [
    DistributionUpdate,
    {
      authority,
      params: {
        community_tax: half,
        base_proposer_reward: '0',
        bonus_proposer_reward: '0',
        withdraw_addr_enabled: true,
      },
    },
    {
      authority,
      params: {
        communityTax: atomics,
        baseProposerReward: '0',
        bonusProposerReward: '0',
        withdrawAddrEnabled: true,
      },
    },
    'cosmos-sdk/distribution/MsgUpdateParams',
  ],
  [
    MsgCommunityPoolSpend,
    { authority, recipient: 'x', amount: [{ denom: 'a', amount: '7' }] },
    { authority, recipient: 'x', amount: [{ denom: 'a', amount: '7' }] },
    'cosmos-sdk/distr/MsgCommunityPoolSpend',
  ],
  [
    ConsensusUpdate,
    {
      authority,
      block: { max_bytes: '1000', max_gas: '-1' },
      evidence: { max_age_num_blocks: '9', max_age_duration: '60s', max_bytes: '5' },
      validator: { pub_key_types: ['ed25519'] },
    },
    {
      authority,
      block: { maxBytes: 1000n, maxGas: -1n },
      evidence: { maxAgeNumBlocks: 9n, maxAgeDuration: { seconds: 60n }, maxBytes: 5n },
      validator: { pubKeyTypes: ['ed25519'] },
    },
    'cosmos-sdk/x/consensus/MsgUpdateParams',
  ],
  [
    MsgSoftwareUpgrade,
    {
      authority,
      plan: {
        name: 'v2',
        time: '0001-01-01T00:00:00Z',
        height: '90',
        info: '',
        upgraded_client_state: null,
      },
    },
    { authority, plan: { name: 'v2', time: { seconds: -62_135_596_800n }, height: 90n } },
    'cosmos-sdk/MsgSoftwareUpgrade',
  ],
  [MsgCancelUpgrade, { authority }, { authority }, 'cosmos-sdk/MsgCancelUpgrade'],
  [
    MsgVoteWeighted,
    {
      proposal_id: '1',
      voter: 'x',
      options: [
        { option: 'VOTE_OPTION_NO', weight: half },
        { option: 1, weight: half },
      ],
    },
    {
      proposalId: 1n,
      voter: 'x',
      options: [
        { option: 3, weight: half },
        { option: 1, weight: half },
      ],
    },
    'cosmos-sdk/v1/MsgVoteWeighted',
  ],
  [
    MsgSend,
    { fromAddress: 'a', to_address: 'b', amount: [{ denom: 'c', amount: '5' }] },
    {
      fromAddress: 'a',
      toAddress: 'b',
      amount: [{ denom: 'c', amount: '5' }],
    },
    'cosmos-sdk/MsgSend',
  ],
]

for (const [codec, json, wanted, name] of cases) {
  test(`the JSON of ${codec.typeUrl} gives the bytes that others read, and has its amino form`, (t) => {
    const packed = packedOfJson({ '@type': codec.typeUrl, ...json })
    t.deepEqual(codec.decode(packed.value), codec.fromPartial(wanted as never))
    t.is(aminoOf(packed)['type'], name)
  })
}

test('a key inside a message is packed with its type', (t) => {
  const key = {
    '@type': '/cosmos.crypto.ed25519.PubKey',
    key: Buffer.alloc(32, 7).toString('base64'),
  }
  const { value } = packedOfJson({ '@type': MsgCreateValidator.typeUrl, pubkey: key })
  const { pubkey } = MsgCreateValidator.decode(value)
  t.is(pubkey?.typeUrl, key['@type'])
  t.deepEqual([...(pubkey?.value ?? [])], [0x0a, 32, ...Array.from({ length: 32 }, () => 7)])
})

test('parameters of the EVM and its fee market have their forms', (t) => {
  const vm = packedOfJson({
    '@type': '/cosmos.evm.vm.v1.MsgUpdateParams',
    authority: 'g',
    params: {
      evm_denom: 'a',
      extra_eips: ['300', 1],
      access_control: {
        create: { access_type: 'ACCESS_TYPE_RESTRICTED', access_control_list: [] },
        call: {},
      },
    },
  })
  t.is(
    Buffer.from(vm.value).toString('hex'),
    '0a0167' + '1210' + '0a0161' + '2203' + 'ac0201' + '4206' + '0a02' + '0801' + '1200',
  )
  const form = aminoOf(vm)
  t.deepEqual(form['value'], {
    authority: 'g',
    params: {
      evm_denom: 'a',
      extra_eips: ['300', '1'],
      access_control: { create: { access_type: 1 }, call: {} },
    },
  })
  const market = packedOfJson({
    '@type': '/cosmos.evm.feemarket.v1.MsgUpdateParams',
    params: {
      base_fee: '0.5',
      no_base_fee: true,
    },
  })
  t.deepEqual(aminoOf(market)['value'], {
    params: {
      no_base_fee: true,
      base_fee: atomics,
      min_gas_price: '0',
      min_gas_multiplier: '0',
    },
  })
})

const creating = '/cosmos.staking.v1beta1.MsgCreateValidator'
const editing = (rate: unknown) => ({ '@type': '/cosmos.staking.v1beta1.MsgEditValidator', commission_rate: rate })

test('numbers are read as Go reads them', (t) => {
  const read = (type: string, members: object): string =>
    Buffer.from(packedOfJson({ '@type': type, ...members }).value).toString('latin1')
  t.true(read(creating, { min_self_delegation: '+0x10' }).includes('16'))
  t.true(read(creating, { commission: { rate: '+1.5' } }).includes('1500000000000000000'))
  t.is(packedOfJson(editing(null)).value.length, 2)
})

const refusals: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  'no object': ['x', /cannot unmarshal string into Go value of type map/],
  'no type': [{}, /doesn't have '@type'/],
  'an unknown type': [{ '@type': '/x.Y' }, /^unable to resolve type URL \/x\.Y$/],
  'an unknown member': [
    { '@type': MsgSend.typeUrl, x: 1 },
    /nested proto \*types\.MsgSend: unknown field "x" in types\.MsgSend$/,
  ],
  'a wrong type': [{ '@type': MsgSend.typeUrl, from_address: 1 }, /cannot unmarshal number into/],
  'a bad duration': [{ '@type': StakingUpdate.typeUrl, params: { unbonding_time: '3 weeks' } }, /bad Duration/],
  'a bad decimal': [
    { '@type': StakingUpdate.typeUrl, params: { min_commission_rate: '1e3' } },
    /failed to set decimal string with base 10: 1e3000000000000000000$/,
  ],
  'a decimal of no digits': [editing('-'), /nested proto \*types\.MsgEditValidator: decimal string cannot be empty$/],
  'a decimal of two points': [editing('1.2.3'), /: invalid decimal string$/],
  'a decimal without digits after its point': [editing('1.'), /: invalid decimal length$/],
  'a decimal without digits before its point': [editing('.5'), /: invalid decimal length$/],
  'a decimal of 19 places': [
    editing('-1.0000000000000000000'),
    /: value '1\.0{19}' exceeds max precision by -1 decimal places: max precision 18$/,
  ],
  'a decimal beyond 256 bits': [editing((2n ** 256n).toString()), /: out of range: invalid decimal string$/],
  'no decimal where one is kept': [
    { '@type': creating, commission: { rate: null } },
    /nested proto \*types\.MsgCreateValidator: decimal string cannot be empty$/,
  ],
  'no integer where one is kept': [
    { '@type': creating, min_self_delegation: null },
    /cannot unmarshal "" into a \*big/,
  ],
  'an empty integer': [{ '@type': creating, min_self_delegation: '' }, /: math\/big: cannot unmarshal "" into a \*big/],
  'an integer with a point': [
    { '@type': creating, min_self_delegation: '1.5' },
    /cannot unmarshal "1\.5" into a \*big/,
  ],
  'an integer beyond 256 bits': [
    { '@type': creating, min_self_delegation: (2n ** 256n).toString() },
    /: integer out of range: \d{78}$/,
  ],
}

for (const [name, [json, message]] of Object.entries(refusals)) {
  test(`${name} is refused with Go's text`, (t) => {
    t.throws(() => packedOfJson(json), { instanceOf: ProtoJsonError, message })
  })
}

const number = test.macro((t, value: unknown, wanted: bigint | string) => {
  const packed = () => packedOfJson({ '@type': MsgVoteWeighted.typeUrl, proposal_id: value })
  const message = `can't unmarshal Any nested proto *v1.MsgVoteWeighted: ${String(wanted)}`
  if (typeof wanted === 'string') t.throws(packed, { instanceOf: ProtoJsonError, message })
  else t.is(MsgVoteWeighted.decode(packed().value).proposalId, wanted)
})
const noUint64 = (found: string) => `json: cannot unmarshal ${found} into Go value of type uint64`
test('the largest number', number, '18446744073709551615', 18_446_744_073_709_551_615n)
test('a number with a blank before it', number, ' 7', 7n)
test('a number that is too large', number, '18446744073709551616', noUint64('number 18446744073709551616'))
test('a number below zero', number, -1, noUint64('number -1'))
test('a text below zero', number, '-1', noUint64('number -1'))
test('a fraction', number, 1.5, noUint64('number 1.5'))
test('a number that JavaScript rounds', number, 2 ** 60, noUint64('number'))
test('a number with a zero before it', number, '01', "invalid character '1' after top-level value")
test('a text of no digits', number, 'x', "invalid character 'x' looking for beginning of value")
test('a truth in a text', number, 'true', noUint64('bool'))

const duration = test.macro((t, value: string, wanted: { seconds: bigint; nanos: number } | string) => {
  const packed = () => packedOfJson({ '@type': GovUpdate.typeUrl, params: { voting_period: value } })
  const message = `can't unmarshal Any nested proto *v1.MsgUpdateParams: ${String(wanted)}`
  if (typeof wanted === 'string') t.throws(packed, { instanceOf: ProtoJsonError, message })
  else t.like(GovUpdate.decode(packed().value).params?.votingPeriod, wanted)
})
test('a duration in hours', duration, '48h', { seconds: 172_800n, nanos: 0 })
test('a duration in several units', duration, '-1m0.5s', { seconds: -60n, nanos: -500_000_000 })
test('a duration of 300 years', duration, '9500000000s', 'bad Duration: time: invalid duration "9500000000s"')

test('an enumeration has numbers of 32 bits', (t) => {
  t.throws(() => packedOfJson({ '@type': MsgVoteWeighted.typeUrl, options: [{ option: 2 ** 31 }] }), {
    message:
      "can't unmarshal Any nested proto *v1.MsgVoteWeighted: json: cannot unmarshal number 2147483648 into Go value of type int32",
  })
})

test('what is no message in JSON stays none', (t) => {
  t.throws(() => packedOfJson({ '@type': AuthInfo.typeUrl }), { message: /unable to resolve/ })
})
