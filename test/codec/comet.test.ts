import test from 'ava'
import fc from 'fast-check'
import {
  base64,
  base64OrNil,
  bool,
  GoPanic,
  int,
  int32,
  int64,
  list,
  pointer,
  string,
  time,
  uint,
  upperHex,
} from '../../src/codec/comet.ts'
import type { CometCodec } from '../../src/codec/comet.ts'
import { decodeJsonParams, decodeUriParam, struct, variant } from '../../src/codec/cometParams.ts'
import { DecodeError } from '../../src/codec/decodeError.ts'
import { parseJson } from '../../src/codec/goJson.ts'
import { writeJson } from '../../src/codec/goJsonWrite.ts'

const evidence = variant({ 'tendermint/DuplicateVoteEvidence': struct({ TotalVotingPower: int64 }) }, [
  'tendermint/PubKeyEd25519',
])
const bytes = base64()
const tx = base64('types.Tx')
const ofText = (text: string) => new TextEncoder().encode(text)

const uriSays = test.macro((t, codec: CometCodec<unknown>, given: string, text: string) => {
  t.is(t.throws(() => decodeUriParam(codec, given, 'x'), { instanceOf: DecodeError })?.text, text)
})
const uriRows: readonly (readonly [CometCodec<unknown>, string, string])[] = [
  [int64, '0x2', "got a hex string arg, but expected 'int64'"],
  [pointer(int), '0x2', "got a hex string arg, but expected 'int'"],
  [uint, '0x0', "got a hex string arg, but expected 'uint'"],
  [bool, '0x0', "got a hex string arg, but expected 'bool'"],
  [list(string), '0x0', "got a hex string arg, but expected 'slice'"],
  [evidence, '0x5', "got a hex string arg, but expected 'interface'"],
  [int64, '1.5', 'invalid 64-bit integer encoding "1.5", expected string'],
  [int64, 'abc', 'invalid 64-bit integer encoding "abc", expected string'],
  [int64, ' 2', 'invalid 64-bit integer encoding " 2", expected string'],
  [int64, '1\0', 'invalid 64-bit integer encoding "1\\x00", expected string'],
  [int64, '１', 'invalid 64-bit integer encoding "１", expected string'],
  [int64, '"abc"', "invalid character 'a' looking for beginning of value"],
  [int64, '""', 'unexpected end of JSON input'],
  [int64, '01', "invalid character '1' after top-level value"],
  [int64, '"1.5"', 'json: cannot unmarshal number 1.5 into Go value of type int64'],
  [int64, '99999999999999999999', 'json: cannot unmarshal number 99999999999999999999 into Go value of type int64'],
  [uint, '-1', 'json: cannot unmarshal number -1 into Go value of type uint'],
  [bytes, '0xABC', 'encoding/hex: odd length hex string'],
  [bytes, '0xzz', "encoding/hex: invalid byte: U+007A 'z'"],
  [bytes, '3D01', "invalid character 'D' after top-level value"],
  [bytes, '123456', 'json: cannot unmarshal number into Go value of type []uint8'],
  [bytes, '[256]', 'json: cannot unmarshal number 256 into Go value of type uint8'],
  [bytes, '{}', 'json: cannot unmarshal object into Go value of type []uint8'],
  [tx, '1234', 'json: cannot unmarshal number into Go value of type types.Tx'],
  [upperHex, '1234', 'invalid hex string: 1234'],
  [upperHex, 'true', 'invalid hex string: true'],
  [bool, '1', 'json: cannot unmarshal number into Go value of type bool'],
  [bool, '"true"', 'json: cannot unmarshal string into Go value of type bool'],
  [bool, 'TRUE', "invalid character 'T' looking for beginning of value"],
  [string, '/key', "invalid character '/' looking for beginning of value"],
  [string, '"', 'unexpected end of JSON input'],
  [string, "'…'", "invalid character '\\'' looking for beginning of value"],
  [evidence, '5', 'json: cannot unmarshal number into Go value of type json.interfaceWrapper'],
  [evidence, '"x"', 'json: cannot unmarshal string into Go value of type json.interfaceWrapper'],
]
for (const [codec, given, text] of uriRows) {
  test(`URI argument ${JSON.stringify(given)} of kind ${codec.kind}: ${text}`, uriSays, codec, given, text)
}

test('one quote as a URI height makes the node panic', (t) => {
  const panic = t.throws(() => decodeUriParam(int64, '"', 'height'), { instanceOf: GoPanic })
  t.is(panic?.message, 'runtime error: slice bounds out of range [1:0]')
})

test('URI arguments give the values that the node takes them for', (t) => {
  t.is(decodeUriParam(pointer(int64), '', ''), undefined)
  t.is(decodeUriParam(pointer(int64), 'null', ''), undefined)
  t.is(decodeUriParam(int64, '', ''), 0n)
  t.is(decodeUriParam(pointer(int64), '2', ''), 2n)
  t.is(decodeUriParam(int64, '"2"', ''), 2n)
  t.is(decodeUriParam(int64, '-1', ''), -1n)
  t.is(decodeUriParam(string, '0x2f6b6579', ''), '/key')
  t.is(decodeUriParam(string, '"/key"', ''), '/key')
  t.deepEqual(decodeUriParam(tx, '"hello=world"', ''), ofText('hello=world'))
  t.deepEqual(decodeUriParam(tx, '0x68656C6c6f', ''), ofText('hello'))
  t.deepEqual(decodeUriParam(upperHex, '"abc"', ''), ofText('abc'))
  t.deepEqual(decodeUriParam(upperHex, '0x616263', ''), ofText('abc'))
  t.deepEqual(decodeUriParam(bytes, '[1]', ''), Uint8Array.of(1))
  t.is(decodeUriParam(base64OrNil, 'null', ''), undefined)
})

const params = [
  { name: 'height', codec: pointer(int64) },
  { name: 'hash', codec: bytes },
]
const jsonSays = test.macro((t, wire: string, text: string) => {
  t.is(t.throws(() => decodeJsonParams(params, parseJson(wire)), { instanceOf: DecodeError })?.text, text)
})
for (const [wire, text] of [
  ['{"height":5}', 'invalid 64-bit integer encoding "5", expected string'],
  ['{"height":["1"]}', 'invalid 64-bit integer encoding "[\\"1\\"]", expected string'],
  ['{"height":"05"}', "invalid character '5' after top-level value"],
  ['{"height":"+5"}', "invalid character '+' looking for beginning of value"],
  ['{"height":"1e0"}', 'json: cannot unmarshal number 1e0 into Go value of type int64'],
  ['{"hash":"zz"}', 'illegal base64 data at input byte 0'],
  ['{"hash":true}', 'json: cannot unmarshal bool into Go value of type []uint8'],
  ['[]', 'expected 2 parameters ([height hash]), got 0 ([])'],
  ['["1", null, 2]', 'expected 2 parameters ([height hash]), got 3 ([[34 49 34] [110 117 108 108] [50]])'],
  [
    '"x"',
    'unknown type for JSON params: json: cannot unmarshal string into Go value of type []json.RawMessage. Expected map or array',
  ],
] as const)
  test(`params ${wire} are refused as the node does`, jsonSays, wire, text)

test('JSON params are taken by exact name, the last of repeated ones', (t) => {
  t.deepEqual(decodeJsonParams(params, parseJson('{"height":"1","height":"2","Height":"3"}')), [2n, new Uint8Array(0)])
  t.deepEqual(decodeJsonParams(params, parseJson('[" 7", "aGVsbG8="]')), [7n, ofText('hello')])
  t.deepEqual(decodeJsonParams(params, parseJson('null')), [undefined, new Uint8Array(0)])
})

const readSays = test.macro((t, codec: CometCodec<unknown>, wire: string, text: string) => {
  t.is(t.throws(() => codec.read(wire, ''), { instanceOf: DecodeError })?.text, text)
})
for (const [codec, wire, text] of [
  [time, '5', 'JSON time must be an RFC3339 string, but got "5"'],
  [
    time,
    '"2026-01-02T03:04:05+01:00"',
    'JSON time must be UTC and end with \'Z\', but got "\\"2026-01-02T03:04:05+01:00\\""',
  ],
  [int32, '"2"', 'json: cannot unmarshal string into Go value of type int32'],
  [upperHex, '"0x12"', "encoding/hex: invalid byte: U+0078 'x'"],
  [list(string), '"x"', 'json: cannot unmarshal string into Go value of type []json.RawMessage'],
  [
    evidence,
    '{"type":"tendermint/PubKeyEd25519","value":""}',
    'invalid type "tendermint/PubKeyEd25519" for this value',
  ],
  [
    evidence,
    '{"type":"tendermint/DuplicateVoteEvidence","value":5}',
    'json: cannot unmarshal number into Go value of type map[string]json.RawMessage',
  ],
  [
    evidence,
    '{"type":"tendermint/DuplicateVoteEvidence","value":{"TotalVotingPower":2}}',
    'invalid 64-bit integer encoding "2", expected string',
  ],
] as const)
  test(`${wire} is refused with: ${text}`, readSays, codec, wire, text)

test('values read back from their spelling', (t) => {
  const all = struct({
    height: int64,
    ok: bool,
    memo: string,
    tx: bytes,
    hash: upperHex,
    time,
    round: int32,
    names: list(string),
    limit: pointer(uint),
  })
  const values = fc.record({
    height: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    ok: fc.boolean(),
    memo: fc.string(),
    tx: fc.uint8Array(),
    hash: fc.uint8Array(),
    round: fc.integer(),
    names: fc.array(fc.string()),
    time: fc.record({
      seconds: fc.bigInt({ min: -62135596800n, max: 253402300799n }),
      nanos: fc.integer({ min: 0, max: 999999999 }),
    }),
    limit: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), { nil: undefined }),
  })
  fc.assert(
    fc.property(values, (value) => {
      t.deepEqual(all.read(writeJson(all.encode(value)), ''), value)
    }),
    { seed: 10 },
  )
})
