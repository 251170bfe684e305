import test from 'ava'
import fc from 'fast-check'
import { plainBytes } from '../../src/data/plainBytes.ts'
import { plainValues } from '../../src/data/plainValue.ts'

const member = fc.string({ maxLength: 8 }).filter((name) => name !== '__proto__')
const key = fc.oneof(fc.integer(), fc.string(), fc.bigInt(), fc.constantFrom(undefined, null, true, 0.5))
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(undefined, null, true, false, 0, -0, -1, 2 ** 53 - 1, 1 - 2 ** 53, 2 ** 53, 0.1, NaN, -Infinity),
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.constantFrom(2n ** 53n, -(2n ** 53n), 2n ** 256n, 0n, -1n),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('again', 'again and again', '\ud800', '\u00ff', '\u0100'),
    fc.uint8Array({ maxLength: 200 }),
    fc.array(tie('value')),
    fc.array(key).map((items) => new Set(items)),
    fc.array(fc.tuple(key, tie('value'))).map((entries) => new Map(entries)),
    fc.dictionary(member, tie('value'), { noNullPrototype: true }),
    tie('value').map((value) => [value, [value], structuredClone(value)]),
  ),
}))

test('every plain value is read as it was written', (t) => {
  fc.assert(
    fc.property(anything, (value) => {
      t.deepEqual(plainValues(plainBytes([value, [value]])), [value, [value]])
    }),
    { seed: 1, numRuns: 2000 },
  )
})

test('what comes again takes two or three bytes, be it shared or only the same', (t) => {
  const one = () => ({ type: 'transfer', attributes: [{ key: 'amount', value: '17atest', index: true }] })
  const sizeOf = (values: readonly unknown[]) => plainBytes(values).bytes.length
  // Each repetition shortens the content one level further out.
  const repeated = (count: number) => Array.from({ length: count }, one)
  t.true(sizeOf(repeated(12)) <= sizeOf(repeated(8)) + 12)
  const large = new Uint8Array(200)
  const [first, second] = plainValues(plainBytes([large, large])) as object[]
  t.is(first, second)
})

test('an object that is kept stays the same one, and is written once', (t) => {
  const kept = { function: () => 1 }
  const written = plainBytes([kept, { inside: kept }], (value) => value === kept)
  t.deepEqual(written.kept, [kept])
  const read = plainValues(written) as [object, { inside: object }]
  t.is(read[0], kept)
  t.is(read[1].inside, kept)
})

const refuses = test.macro((t, value: unknown) => {
  t.throws(() => plainBytes([value]), { code: 'ASSERTION_FAILED' })
})
test('a function is no plain value', refuses, () => 1)
test('a symbol is no plain value', refuses, Symbol('a'))
test('a set of objects is no plain value', refuses, new Set([{}]))
test('a date is no plain value', refuses, new Date(0))
test('bytes that end too early are not read', (t) => {
  const { bytes, kept } = plainBytes(['abc'])
  t.throws(() => plainValues({ bytes: bytes.subarray(0, -1), kept }), { code: 'ASSERTION_FAILED' })
})
