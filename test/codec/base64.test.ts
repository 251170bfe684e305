import test from 'ava'
import fc from 'fast-check'
import { base64Of, readBase64, readGoHex } from '../../src/codec/base64.ts'

// Answers of Go's encoding/base64 and encoding/hex.
const base64Rows: readonly (readonly [string, string])[] = [
  ['z', 'illegal base64 data at input byte 0'],
  ['zz', 'illegal base64 data at input byte 0'],
  ['zzz', 'illegal base64 data at input byte 0'],
  ['zzzz', ''],
  ['', ''],
  ['=', 'illegal base64 data at input byte 0'],
  ['z=', 'illegal base64 data at input byte 1'],
  ['zz=', 'illegal base64 data at input byte 3'],
  ['zz==', ''],
  ['zz=z', 'illegal base64 data at input byte 2'],
  ['zz==z', 'illegal base64 data at input byte 4'],
  ['zzz=', ''],
  ['zzz=z', 'illegal base64 data at input byte 4'],
  ['zzz==', 'illegal base64 data at input byte 4'],
  ['aG\nVs\r\nbG8=', ''],
  ['zz=\n=', ''],
  ['zz\n', 'illegal base64 data at input byte 1'],
  ['zzzz\n', ''],
  ['zzzz\nz', 'illegal base64 data at input byte 5'],
  ['zz=\n', 'illegal base64 data at input byte 4'],
  ['z\nz', 'illegal base64 data at input byte 1'],
  ['zzz\n=', ''],
  ['zz==\n\n', ''],
  ['é', 'illegal base64 data at input byte 0'],
  ['zzé=', 'illegal base64 data at input byte 2'],
  ['zzzz zz==', 'illegal base64 data at input byte 4'],
  ['ab-_', 'illegal base64 data at input byte 2'],
  ['zzzzz', 'illegal base64 data at input byte 4'],
  ['zzzzz\n', 'illegal base64 data at input byte 5'],
  ['zzzz====', 'illegal base64 data at input byte 4'],
  ['zz\n\nz', 'illegal base64 data at input byte 2'],
  ['\n', ''],
  ['zzz=\n\nz', 'illegal base64 data at input byte 6'],
]
const hexRows: readonly (readonly [string, string])[] = [
  ['', ''],
  ['0', 'encoding/hex: odd length hex string'],
  ['zz', "encoding/hex: invalid byte: U+007A 'z'"],
  ['0x12', "encoding/hex: invalid byte: U+0078 'x'"],
  ['00', ''],
  ['aG', "encoding/hex: invalid byte: U+0047 'G'"],
  ['abc', 'encoding/hex: odd length hex string'],
  ['é0', "encoding/hex: invalid byte: U+00C3 'Ã'"],
  ['é', "encoding/hex: invalid byte: U+00C3 'Ã'"],
  ['İ0', "encoding/hex: invalid byte: U+00C4 'Ä'"],
  ['0\n', 'encoding/hex: invalid byte: U+000A'],
  ['ABCD', ''],
  ['a\u0000', 'encoding/hex: invalid byte: U+0000'],
  ['z', "encoding/hex: invalid byte: U+007A 'z'"],
]

const judges = test.macro((t, read: (text: string) => Uint8Array | string, given: string, text: string) => {
  const result = read(given)
  t.is(typeof result === 'string' ? result : '', text)
})
for (const [given, text] of base64Rows) {
  test(`base64 ${JSON.stringify(given)} is judged as Go does`, judges, readBase64, given, text)
}
for (const [given, text] of hexRows) {
  test(`hex ${JSON.stringify(given)} is judged as Go does`, judges, readGoHex, given, text)
}

test('line breaks inside base64 are skipped', (t) => {
  t.deepEqual(readBase64('aG\nVs\r\nbG8=\n'), new TextEncoder().encode('hello'))
})

test('base64 reads back', (t) => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      t.is(base64Of(bytes), btoa(String.fromCharCode(...bytes)))
      t.deepEqual(readBase64(base64Of(bytes)), bytes)
    }),
    { seed: 8 },
  )
})
