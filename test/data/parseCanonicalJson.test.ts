import fc from 'fast-check'
import test from 'ava'
import { canonicalJson } from '../../src/data/canonicalJson.ts'
import { parseCanonicalJson } from '../../src/data/parseCanonicalJson.ts'

const leaf = fc.oneof(
  fc.bigInt(),
  fc.uint8Array({ maxLength: 40 }),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.integer(),
  fc.constant('#n:1'),
  fc.constant('##'),
)
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('any')),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('any'),
      { noNullPrototype: true },
    ),
  ),
})).any

test('what canonical JSON writes is read back as the same value', (t) => {
  fc.assert(
    fc.property(value, (one) => {
      t.deepEqual(parseCanonicalJson(canonicalJson(one)), one)
    }),
    { seed: 11, numRuns: 500 },
  )
})

test('an unknown mark is refused', (t) => {
  t.throws(() => parseCanonicalJson('"#q:1"'), { message: /unknown mark/ })
})
