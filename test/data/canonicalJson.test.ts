import test from 'ava'
import fc from 'fast-check'
import { canonicalJson } from '../../src/data/canonicalJson.ts'

const writes = test.macro((t, value: unknown, text: string) => t.is(canonicalJson(value), text))
test('keys are sorted at every depth', writes, { b: [{ d: 1, c: null }], a: true }, '{"a":true,"b":[{"c":null,"d":1}]}')
test('a bigint is marked digits', writes, [-5n, 5n], '["#n:-5","#n:5"]')
test('bytes are marked hex', writes, Uint8Array.of(0, 255), '"#x:00ff"')
test('a string with the mark gets another', writes, ['#n:5', '#', 'a#'], '["##n:5","##","a#"]')
test('undefined members are dropped', writes, { a: undefined, b: 1 }, '{"b":1}')
test('minus zero is zero', writes, -0, '0')
test('keys that look like numbers are sorted as text', writes, { 10: 1, 9: 2, a: 3 }, '{"10":1,"9":2,"a":3}')
test('a lone surrogate is escaped', writes, '\ud800', '"\\ud800"')

const refuses = test.macro((t, value: unknown) => {
  t.throws(() => canonicalJson({ value: [value] }), { code: 'ASSERTION_FAILED' })
})
test('a function has no text', refuses, () => 1)
test('NaN has no text', refuses, NaN)
test('infinity has no text', refuses, -Infinity)
test('undefined in a list has no text', refuses, undefined)
test('a symbol has no text', refuses, Symbol('a'))
test('a map has no text', refuses, new Map())
test('a date has no text', refuses, new Date(0))

test('of plain JSON it is JSON, with keys in order', (t) => {
  const stringUnit = fc.constantFrom('a', '"', 'é', '\n')
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      t.deepEqual(JSON.parse(canonicalJson(plain)), plain)
    }),
    { seed: 1 },
  )
})

test('the order in which members were set does not matter', (t) => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.bigInt()), (value) => {
      t.is(canonicalJson(Object.fromEntries(Object.entries(value).reverse())), canonicalJson(value))
    }),
    { seed: 2 },
  )
})

test('a value nested 100,000 deep has a text', (t) => {
  const levels = 100_000
  const lists = '['.repeat(levels) + ']'.repeat(levels)
  const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  for (const text of [lists, objects]) {
    t.true(canonicalJson(JSON.parse(text)) === text)
  }
})
