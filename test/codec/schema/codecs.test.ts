import test from 'ava'
import fc from 'fast-check'
import { BaseAccount, ModuleAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { MsgGrant } from 'cosmjs-types/cosmos/authz/v1beta1/tx'
import { Metadata } from 'cosmjs-types/cosmos/bank/v1beta1/bank'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { PeriodicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant'
import { Params as GovParams, Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { ValidatorSigningInfo } from 'cosmjs-types/cosmos/slashing/v1beta1/slashing'
import { Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { AuthInfo, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { PeriodicVestingAccount } from 'cosmjs-types/cosmos/vesting/v1beta1/vesting'
import { MsgTransfer } from 'cosmjs-types/ibc/applications/transfer/v1/tx'
import { message, repeated, text } from '../../../src/codec/protobuf/message.ts'
import type { WireField } from '../../../src/codec/protobuf/wire.ts'
import { codecOf, isNumber, namedCodec } from '../../../src/codec/schema/codecs.ts'
import type { Field } from '../../../src/codec/schema/descriptor.ts'
import { messageDescriptor } from '../../../src/codec/schema/lookup.ts'
import { packedJson, toJson } from '../../../src/codec/schema/protoJson.ts'
import { fromJson, packedOfJson } from '../../../src/codec/schema/protoJsonRead.ts'

type Generated = {
  readonly typeUrl: string
  readonly decode: (bytes: Uint8Array) => unknown
  readonly encode: (value: never) => { readonly finish: () => Uint8Array }
}
const generated: readonly Generated[] = [
  AuthInfo,
  BaseAccount,
  GovParams,
  Metadata,
  ModuleAccount,
  MsgGrant,
  MsgSend,
  MsgTransfer,
  PeriodicAllowance,
  PeriodicVestingAccount,
  Proposal,
  TxBody,
  TxRaw,
  Validator,
  ValidatorSigningInfo,
]

/** Any value of a message: what is nested is cut off at a depth. */
function arbitraryValue(name: string, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const members: Record<string, fc.Arbitrary<unknown>> = {}
  const oneofs = new Set<string>()
  for (const field of messageDescriptor(name).fields) {
    // Of a oneof the first member only.
    if (field.oneof !== undefined && oneofs.has(field.oneof)) continue
    if (field.oneof !== undefined) oneofs.add(field.oneof)
    const arbitrary = memberOf(field, depth)
    if (arbitrary !== undefined) members[field.jsonName] = arbitrary
  }
  return name === 'google.protobuf.Any' ? anySend : fc.record(members)
}

const anySend = fc.string().map((fromAddress) => ({
  typeUrl: '/cosmos.bank.v1beta1.MsgSend',
  value: codecOf('cosmos.bank.v1beta1.MsgSend').encode({ fromAddress, toAddress: 'b', amount: [] }),
}))

function memberOf(field: Field, depth: number): fc.Arbitrary<unknown> | undefined {
  if (field.kind === 'message' && depth === 0) {
    return field.isList ? fc.constant([]) : field.isNullable ? undefined : itemOf(field, 1)
  }
  const item = itemOf(field, depth)
  return field.isList ? fc.array(item, { maxLength: 3 }) : item
}

function itemOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  if (isNumber(field)) {
    const digits = fc.bigInt(-(10n ** 30n), 10n ** 30n).map(String)
    return field.kind === 'bytes' ? digits.map((each) => new TextEncoder().encode(each)) : digits
  }
  switch (field.kind) {
    case 'message':
      return field.typeName === 'google.protobuf.Timestamp' || field.typeName === 'google.protobuf.Duration'
        ? // cosmjs-types miswrites seconds of 2^31 and more.
          fc.record({ seconds: fc.bigInt(0n, (1n << 31n) - 1n), nanos: fc.nat(999_999_999) })
        : arbitraryValue(field.typeName, depth - 1)
    case 'bool':
      return fc.boolean()
    case 'enum':
      return fc.nat(3)
    case 'int32':
      return fc.integer()
    case 'uint32':
      return fc.nat()
    case 'uint64':
      return fc.bigInt(0n, (1n << 64n) - 1n)
    case 'int64':
    case 'sfixed64':
      return fc.bigInt(-(1n << 63n), (1n << 63n) - 1n)
    case 'bytes':
      return fc.uint8Array({ minLength: 1, maxLength: 40 })
    default:
      return fc.string()
  }
}

for (const theirs of generated) {
  const name = theirs.typeUrl.slice(1)
  test(`others read and write ${name} as we do`, (t) => {
    const ours = namedCodec(name)
    fc.assert(
      fc.property(arbitraryValue(name, 3), (value) => {
        const bytes = ours.encode(value)
        const again = theirs.encode(theirs.decode(bytes) as never).finish()
        t.deepEqual(ours.decode(again), ours.decode(bytes))
        t.deepEqual(ours.decode(bytes), ours.decode(ours.encode(ours.decode(bytes))))
      }),
      { seed: 15, numRuns: 25 },
    )
  })

  test(`${name} comes back from its JSON`, (t) => {
    const ours = namedCodec(name)
    fc.assert(
      fc.property(arbitraryValue(name, 3), (value) => {
        const bytes = ours.encode(value)
        const json = JSON.parse(JSON.stringify(toJson(name, ours.decode(bytes)))) as unknown
        t.deepEqual(ours.encode(fromJson(name, json)), bytes)
      }),
      { seed: 15, numRuns: 25 },
    )
  })
}

test('what is no pointer in Go is always written, and read as empty where it is absent', (t) => {
  const delegate = codecOf('cosmos.staking.v1beta1.MsgDelegate')
  const coin = Uint8Array.of(0x12, 1, 0x30)
  t.deepEqual(delegate.encode({}), Uint8Array.of(0x1a, coin.length, ...coin))
  t.deepEqual(delegate.decode(new Uint8Array(0)).amount, { denom: '', amount: '' })
})

test('a list is added to, not copied, for each of its items', (t) => {
  const lists: unknown[] = []
  const item = {
    ...repeated(text),
    append: (list: readonly string[], field: WireField) => {
      lists.push(list)
      repeated(text).append?.(list, field)
    },
  }
  const codec = message<{ items: readonly string[] }>({ 1: ['items', item] })
  const { items } = codec.decode(codec.encode({ items: ['a', 'b', 'c'] }))
  t.deepEqual(items, ['a', 'b', 'c'])
  t.true(lists.length === 3 && lists.every((list) => list === items))
})

test('JSON is spelled as the SDK does, empty fields included', (t) => {
  t.deepEqual(packedJson({ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: new Uint8Array(0) }), {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: '',
    to_address: '',
    amount: [],
  })
  const time = { seconds: 1_700_000_000n, nanos: 120_000_000 }
  t.deepEqual(toJson('cosmos.evm.vm.v1.MsgEthereumTx', { from: Uint8Array.of(1), raw: Uint8Array.of(2) }), {
    from: 'AQ==',
    raw: '0x02',
  })
  t.is(toJson('google.protobuf.Timestamp', time), '2023-11-14T22:13:20.120Z')
  t.is(toJson('google.protobuf.Duration', { seconds: 0n, nanos: -5_000 }), '-0.000005s')
  t.deepEqual(
    toJson('cosmos.staking.v1beta1.Commission', {
      commissionRates: { rate: '5', maxRate: '', maxChangeRate: '-1' },
      updateTime: time,
    }),
    {
      commission_rates: {
        rate: '0.000000000000000005',
        max_rate: '0.000000000000000000',
        max_change_rate: '-0.000000000000000001',
      },
      update_time: '2023-11-14T22:13:20.120Z',
    },
  )
  t.deepEqual(
    toJson('cosmos.gov.v1.MsgVote', {
      proposalId: 7n,
      voter: 'v',
      option: 1,
      metadata: '',
    }),
    { proposal_id: '7', voter: 'v', option: 'VOTE_OPTION_YES', metadata: '' },
  )
})

test('members that nobody knows may be ignored', (t) => {
  const json = { '@type': '/cosmos.bank.v1beta1.MsgSend', fromAddress: 'a', x: 1 }
  const { value } = packedOfJson(json, { ignoresUnknown: true })
  t.is(MsgSend.decode(value).fromAddress, 'a')
})

const hex = (bytes: string): Uint8Array => new Uint8Array(Buffer.from(bytes.replaceAll(' ', ''), 'hex'))

test('the last member of a oneof unsets the others', (t) => {
  const mode = codecOf('cosmos.tx.v1beta1.ModeInfo')
  t.deepEqual(mode.decode(hex('1200 0a02087f')), { single: { mode: 127 }, multi: undefined })
  t.like(mode.decode(hex('0a02087f 1200')), { single: undefined, multi: { modeInfos: [] } })
  t.deepEqual(mode.decode(hex('0a02087f 0a00')).single, { mode: 0 })
})

test('the fields of all occurrences of a message count, unless it is a time', (t) => {
  const delegate = codecOf('cosmos.staking.v1beta1.MsgDelegate')
  // Denomination a, amount 1, and then amount 2 alone.
  t.deepEqual(delegate.decode(hex('1a06 0a0161 120131 1a03 120132')).amount, { denom: 'a', amount: '2' })
  const grant = namedCodec('cosmos.authz.v1beta1.Grant')
  t.deepEqual(grant.decode(hex('1204 0801 1002 1202 1003'))['expiration'], { seconds: 0n, nanos: 3 })
})
