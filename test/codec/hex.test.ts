import test from 'ava'
import fc from 'fast-check'
import { numberToHex, toHex } from 'viem'
import type { Codec } from '../../src/codec/codec.ts'
import { object, optional } from '../../src/codec/codec.ts'
import { DecodeError } from '../../src/codec/decodeError.ts'
import { parseJson } from '../../src/codec/goJson.ts'
import { writeJson } from '../../src/codec/goJsonWrite.ts'
import { address, big, bytesOfHex, data, hash, hexOf, hexOrDecimal, uint, uint64 } from '../../src/codec/hex.ts'

const says = test.macro((t, codec: Codec<unknown>, wire: string, text: string) => {
  t.is(t.throws(() => codec.decode(parseJson(wire), 'params[0]'), { instanceOf: DecodeError })?.text, text)
})

const json = (value: string, type: string) => `json: cannot unmarshal ${value} into Go value of type ${type}`
const rows: readonly (readonly [Codec<unknown>, string, string])[] = [
  [address, '"c6fe"', json('hex string without 0x prefix', 'common.Address')],
  [address, '"0x111111111111111111111111111111111111111"', json('hex string of odd length', 'common.Address')],
  [address, '"0xzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"', json('invalid hex string', 'common.Address')],
  [address, `"0x${'İ'.repeat(40)}"`, json('invalid hex string', 'common.Address')],
  [address, '"0x1234"', 'hex string has length 4, want 40 for common.Address'],
  [address, '"0x"', 'hex string has length 0, want 40 for common.Address'],
  [address, '""', 'hex string has length 0, want 40 for common.Address'],
  [address, '5', json('non-string', 'common.Address')],
  [address, 'null', json('non-string', 'common.Address')],
  [hash, `"0x${'1'.repeat(66)}"`, 'hex string has length 66, want 64 for common.Hash'],
  [data(), '"0xc"', json('hex string of odd length', 'hexutil.Bytes')],
  [data(), '"0xzz"', json('invalid hex string', 'hexutil.Bytes')],
  [data(), '"c0"', json('hex string without 0x prefix', 'hexutil.Bytes')],
  [uint, '"0"', json('hex string without 0x prefix', 'hexutil.Uint')],
  [uint, '0', json('non-string', 'hexutil.Uint')],
  [big, '"0x05"', json('hex number with leading zero digits', '*hexutil.Big')],
  [big, '"0x"', json('hex string "0x"', '*hexutil.Big')],
  [big, `"0x1${'0'.repeat(64)}"`, json('hex number > 256 bits', '*hexutil.Big')],
  [uint64, '"0x1ffffffffffffffff"', json('hex number > 64 bits', 'hexutil.Uint64')],
  [hexOrDecimal, '-1', 'invalid hex or decimal integer "-1"'],
  [hexOrDecimal, 'null', 'invalid hex or decimal integer "null"'],
  [hexOrDecimal, '1.5', 'invalid hex or decimal integer "1.5"'],
]
for (const [codec, wire, text] of rows) test(`${wire} is refused with: ${text}`, says, codec, wire, text)

test('an empty text is a quantity of zero and no data', (t) => {
  t.is(big.decode(parseJson('""'), ''), 0n)
  t.deepEqual(data().decode(parseJson('""'), ''), new Uint8Array(0))
  for (const wire of ['"2"', '2', '"0x02"', '"0X2"']) t.is(hexOrDecimal.decode(parseJson(wire), ''), 2n)
})

const args = object(
  { to: optional(address), value: optional(big), data: optional(data()) },
  { goType: 'types.TransactionArgs' },
)
const field = (value: string, name: string, type: string) =>
  `json: cannot unmarshal ${value} into Go struct field TransactionArgs.${name} of type ${type}`
for (const [wire, text] of [
  ['{"value":5}', field('non-string', 'value', '*hexutil.Big')],
  ['{"VALUE":"5"}', field('hex string without 0x prefix', 'value', '*hexutil.Big')],
  ['{"data":"0x123"}', field('hex string of odd length', 'data', 'hexutil.Bytes')],
  ['{"to":"0x12"}', 'hex string has length 2, want 40 for common.Address'],
  ['"0x"', 'json: cannot unmarshal string into Go value of type types.TransactionArgs'],
] as const)
  test(`arguments ${wire} are refused as geth does`, says, args, wire, text)

test('a hexutil text without a Go type around it stands alone', (t) => {
  for (const [text, message] of [
    ['', 'empty hex string'],
    ['12', 'hex string without 0x prefix'],
    ['0x1', 'hex string of odd length'],
    ['0xgg', 'invalid hex string'],
  ] as const)
    t.is(t.throws(() => bytesOfHex(text), { instanceOf: DecodeError })?.text, message)
})

test('bytes and quantities are spelled as viem spells them and read back', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (bytes, amount) => {
      t.is(hexOf(bytes), toHex(bytes))
      t.deepEqual(data().decode(parseJson(writeJson(data().encode(bytes))), ''), bytes)
      t.is(big.encode(amount), numberToHex(amount))
      t.is(big.decode(parseJson(writeJson(big.encode(amount))), ''), amount)
    }),
    { seed: 5 },
  )
})
