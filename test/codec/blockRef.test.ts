import test from 'ava'
import fc from 'fast-check'
import { blockNumber, blockNumberOrHash, gethBlockNumber } from '../../src/codec/blockRef.ts'
import type { BlockRef } from '../../src/codec/blockRef.ts'
import type { Codec } from '../../src/codec/codec.ts'
import { DecodeError } from '../../src/codec/decodeError.ts'
import { parseJson } from '../../src/codec/goJson.ts'
import { writeJson } from '../../src/codec/goJsonWrite.ts'

const unknownHash = `0x${'11'.repeat(32)}`
const hash = new Uint8Array(32).fill(0x11)
const reads = test.macro((t, codec: Codec<BlockRef>, wire: string, ref: BlockRef) => {
  t.deepEqual(codec.decode(parseJson(wire), ''), ref)
})
const says = test.macro((t, codec: Codec<BlockRef>, wire: string, text: string) => {
  t.is(t.throws(() => codec.decode(parseJson(wire), ''), { instanceOf: DecodeError })?.text, text)
})

const height = (value: bigint): BlockRef => ({ kind: 'height', height: value })
const noNumbers = [
  '"foo"',
  '"Latest"',
  '"-0x1"',
  'true',
  '[]',
  '{}',
  '-1',
  'null',
  '"3.x"',
  '"0o"',
  '"08"',
  '1e1',
  '"1__0"',
]
for (const wire of [...noNumbers, `"${'1'.repeat(64)}"`]) {
  test(`${wire} as a block number is silently block 0`, reads, blockNumber, wire, height(0n))
}
for (const [wire, value] of [
  ['5', 5n],
  ['"5"', 5n],
  ['"0X5"', 5n],
  ['"0x5"', 5n],
  ['2.9', 2n],
  ['"3."', 3n],
  ['".5"', 0n],
  ['"+3"', 3n],
  ['"+0x10"', 16n],
  ['"010"', 8n],
  ['"0o7"', 7n],
  ['"0b11"', 3n],
  ['"1_0"', 10n],
] as const) {
  test(`${wire} as a block number is ${value}`, reads, blockNumber, wire, height(value))
}
for (const [wire, text] of [
  ['""', 'empty hex string'],
  ['"0x"', 'hex string "0x"'],
  ['"0xg"', 'invalid hex string'],
  ['"0x01"', 'hex number with leading zero digits'],
  [`"${unknownHash}"`, 'hex number > 64 bits'],
  ['"0x8000000000000000"', 'block number larger than int64'],
] as const)
  test(`${wire} as a block number is refused`, says, blockNumber, wire, text)

test('safe is a tag for a block number', reads, blockNumber, '"safe"', { kind: 'tag', tag: 'safe' })
test('finalized is a tag for a block number or hash', reads, blockNumberOrHash, '"finalized"', {
  kind: 'tag',
  tag: 'finalized',
})
test('66 characters are a hash', reads, blockNumberOrHash, `"${unknownHash}"`, {
  kind: 'hash',
  hash,
})
test('an object names a hash', reads, blockNumberOrHash, `{"blockHash":"${unknownHash}","x":1}`, {
  kind: 'hash',
  hash,
})
test('an object names a number', reads, blockNumberOrHash, '{"blockNumber":"latest"}', {
  kind: 'tag',
  tag: 'latest',
})
test('null names no block', reads, blockNumberOrHash, 'null', { kind: 'none' })
test('an empty object names no block', reads, blockNumberOrHash, '{}', { kind: 'none' })
for (const [wire, text] of [
  ['"safe"', 'hex string without 0x prefix'],
  ['2', 'json: cannot unmarshal number into Go value of type string'],
  ['true', 'json: cannot unmarshal bool into Go value of type string'],
  ['[]', 'json: cannot unmarshal array into Go value of type string'],
  ['{"blockHash":"0x12"}', 'json: cannot unmarshal object into Go value of type string'],
  [
    `{"blockHash":"${unknownHash}","blockNumber":"0x1"}`,
    'cannot specify both BlockHash and BlockNumber, choose one or the other',
  ],
  ['"0x1234567890123456789012345678901234567890"', 'hex number > 64 bits'],
  ['"0x8000000000000000"', 'uint64 value 9223372036854775808 cannot exceed 9223372036854775807: invalid height'],
  ['""', 'empty hex string'],
] as const)
  test(`${wire} as a block number or hash is refused`, says, blockNumberOrHash, wire, text)

for (const wire of ['5', '"5"', 'null', '"word"']) {
  test(`${wire} is no block number for geth`, says, gethBlockNumber, wire, 'hex string without 0x prefix')
}

test('every reference reads back from its spelling', (t) => {
  const tags = fc.constantFrom<BlockRef>({ kind: 'tag', tag: 'latest' }, { kind: 'tag', tag: 'pending' })
  const heights = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(height)
  fc.assert(
    fc.property(fc.oneof(tags, heights), (ref) => {
      for (const codec of [blockNumber, blockNumberOrHash, gethBlockNumber]) {
        t.deepEqual(codec.decode(parseJson(writeJson(codec.encode(ref))), ''), ref)
      }
    }),
    { seed: 7 },
  )
})
