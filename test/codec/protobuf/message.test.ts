import test from 'ava'
import fc from 'fast-check'
import type { Coin } from '../../../src/codec/messages/cosmos.ts'
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import { Vote as GeneratedVote } from 'cosmjs-types/tendermint/types/types'
import * as comet from '../../../src/codec/protobuf/comet.ts'
import * as votes from '../../../src/codec/votes.ts'
import * as evm from '../../../src/codec/messages/cosmosEvm.ts'
import type { Message } from '../../../src/codec/protobuf/message.ts'
import { int64, message, nested, repeated, text, uint32, uint64 } from '../../../src/codec/protobuf/message.ts'
import { lengthPrefixed, ProtobufError, readFields, varint } from '../../../src/codec/protobuf/wire.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const int64s = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const uint64s = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
const bytes = fc.uint8Array({ maxLength: 40 })

test('zero votes have the bytes of the Go test vectors', (t) => {
  const zero = comet.canonicalVote.encode({ timestamp: { seconds: -62135596800n, nanos: 0 } })
  t.is(hex(lengthPrefixed(zero)), '0d2a0b088092b8c398feffffff01')
  const one = { height: 1n, round: 1n, timestamp: { seconds: -62135596800n, nanos: 0 } }
  t.is(
    hex(lengthPrefixed(comet.canonicalVote.encode({ ...one, type: 2 }))),
    '210802110100000000000000190100000000000000' + '2a0b088092b8c398feffffff01',
  )
  t.is(
    hex(lengthPrefixed(comet.canonicalVote.encode({ ...one, chainId: 'test_chain_id' }))),
    '2e110100000000000000190100000000000000' + '2a0b088092b8c398feffffff01' + '320d746573745f636861696e5f6964',
  )
})

test('a zero block id still holds its empty part set header', (t) => {
  t.is(hex(votes.blockId.message.encode({})), '1200')
})

test('coins and versions have the bytes of the generated code', (t) => {
  const coin = message<Coin>({ 1: ['denom', text], 2: ['amount', text] })
  const send = message<{
    fromAddress: string
    toAddress: string
    amount: readonly (Coin | undefined)[]
  }>({
    1: ['fromAddress', text],
    2: ['toAddress', text],
    3: ['amount', repeated(nested(coin))],
  })
  const coins = fc.array(fc.record({ denom: fc.string(), amount: fc.string() }), { maxLength: 3 })
  fc.assert(
    fc.property(fc.string(), coins, uint64s, (fromAddress, amount, block) => {
      const value = { fromAddress, toAddress: 'b', amount }
      t.is(hex(send.encode(value)), hex(MsgSend.encode(MsgSend.fromPartial(value)).finish()))
      t.deepEqual(send.decode(MsgSend.encode(MsgSend.fromPartial(value)).finish()), value)
      t.is(hex(comet.version.encode({ block, app: 1n })), hex(Consensus.encode({ block, app: 1n }).finish()))
    }),
    { seed: 13 },
  )
})

test('votes have the bytes of the generated code', (t) => {
  fc.assert(
    fc.property(bytes, int64s, fc.integer(), (hash, height, round) => {
      const time = { seconds: -5n, nanos: 7 }
      const blockId = { hash, parts: { total: 1, hash } }
      const ours = votes.vote.message.encode({
        type: 2,
        height,
        round,
        blockId,
        time,
        validatorAddress: hash,
        signature: hash,
      })
      const generated = GeneratedVote.fromPartial({
        type: 2,
        height,
        round,
        blockId: { hash, partSetHeader: blockId.parts },
        timestamp: time,
        validatorAddress: hash,
        signature: hash,
      })
      t.is(hex(ours), hex(GeneratedVote.encode(generated).finish()))
    }),
    { seed: 14 },
  )
})

const numbers = message<{ a: bigint; list: readonly bigint[]; small: readonly number[] }>({
  1: ['a', int64],
  2: ['list', repeated(uint64)],
  3: ['small', repeated(uint32)],
})
test('repeated numbers are packed and read in both spellings', (t) => {
  t.is(hex(numbers.encode({ list: [3n, 270n, 86942n] })), '1206038e029ea705')
  t.deepEqual(numbers.decode(Buffer.from('1003108e02', 'hex')).list, [3n, 270n])
})

const digits = fc.bigInt().map(String)
const roundTrips = test.macro((t, codec: Message<object>, values: fc.Arbitrary<object>) => {
  fc.assert(
    fc.property(values, (value) => {
      t.deepEqual(codec.decode(codec.encode(value)), value)
    }),
    { seed: 15 },
  )
})
test(
  'numbers read back',
  roundTrips,
  numbers,
  fc.record({
    a: int64s,
    list: fc.array(uint64s),
    small: fc.array(fc.nat()),
  }),
)
test('wrapped Ethereum transactions read back', roundTrips, evm.msgEthereumTx, fc.record({ from: bytes, raw: bytes }))
test(
  'parameters read back',
  roundTrips,
  evm.feemarketParams,
  fc.record({
    noBaseFee: fc.boolean(),
    baseFeeChangeDenominator: fc.nat(),
    elasticityMultiplier: fc.nat(),
    enableHeight: int64s,
    baseFee: digits,
    minGasPrice: digits,
    minGasMultiplier: digits,
  }),
)

test('a cut message is an unexpected EOF, a bad wire type illegal', (t) => {
  t.is(t.throws(() => readFields(Uint8Array.of(0x0a, 5, 1)), { instanceOf: ProtobufError })?.message, 'unexpected EOF')
  t.is(
    t.throws(() => readFields(Uint8Array.of(0x0e)), { instanceOf: ProtobufError })?.message,
    'proto: illegal wireType 6',
  )
})

test('a field of the wrong type is refused before its content is read', (t) => {
  const pair = message<{ address: string; denom: string }>({ 1: ['address', text], 2: ['denom', text] })
  const cases = [
    [[0x08], 'proto: wrong wireType = 0 for field Address'],
    [[0x0f], 'proto: wrong wireType = 7 for field Address'],
    [[0x0b, 0x0c], 'proto: wrong wireType = 3 for field Address'],
    [[0x08, 1, 0x12, 0xff], 'proto: wrong wireType = 0 for field Address'],
    [[0x0a, 1, 0x61, 0x11], 'proto: wrong wireType = 1 for field Denom'],
    [[0x0c], 'proto: illegal wireType 4'],
    [[0x1f], 'proto: illegal wireType 7'],
    [[0x18], 'unexpected EOF'],
  ] as const
  for (const [given, said] of cases) {
    t.throws(() => pair.decode(Uint8Array.from(given)), { instanceOf: ProtobufError, message: said })
  }
})

test('groups are passed over with all that is in them', (t) => {
  const fields = readFields(Uint8Array.of(0x0b, 0x10, 1, 0x1b, 0x1c, 0x0c, 0x10, 7))
  t.deepEqual(fields, [{ number: 2, wireType: 0, value: 7n }])
  t.throws(() => readFields(Uint8Array.of(0x0b, 0x10, 1)), { message: 'unexpected EOF' })
})

test('a varint has seven bits of the number in each byte, at every length', (t) => {
  for (let bits = 1n; bits <= 64n; bits++) {
    for (const value of [(1n << bits) - 1n, 1n << (bits - 1n)]) {
      const bytes = varint(value)
      t.is(
        bytes.reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 0x7f), 0n),
        value,
      )
      t.true(bytes.every((byte, index) => byte >= 0x80 === index < bytes.length - 1))
      t.deepEqual(readFields(Uint8Array.of(8, ...bytes)), [{ number: 1, wireType: 0, value }])
    }
  }
})
