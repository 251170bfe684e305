import test from 'ava'
import fc from 'fast-check'
import { fromBinaryString, toBinaryString } from '../../src/data/binaryString.ts'
import { compareBytes, concatBytes, equalBytes } from '../../src/data/bytes.ts'

test('bytes come back from a binary string, also long ones', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 10_000, size: 'max' }), (bytes) => {
      t.is(toBinaryString(bytes), Buffer.from(bytes).toString('latin1'))
      t.deepEqual(fromBinaryString(toBinaryString(bytes)), bytes)
    }),
    { seed: 1, numRuns: 50 },
  )
})

test('bytes and their binary strings sort as Buffer does', (t) => {
  const bytes = fc.uint8Array({ maxLength: 3 }).map((all) => all.map((b) => (b & 1) * 255))
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const expected = Buffer.compare(a, b)
      const [x, y] = [toBinaryString(a), toBinaryString(b)]
      t.is(Math.sign(compareBytes(a, b)), expected)
      t.is(x === y ? 0 : x < y ? -1 : 1, expected)
      t.is(equalBytes(a, b), expected === 0)
      t.deepEqual(concatBytes([a, b]), new Uint8Array(Buffer.concat([a, b])))
    }),
    { seed: 2 },
  )
})
