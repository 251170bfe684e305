import test from 'ava'
import fc from 'fast-check'
import { parseQuery } from '../../../src/feed/parseQuery.ts'
import { inRange } from '../../../src/rpc/comet/valueOrder.ts'
import { valueRangeOf } from '../../../src/rpc/comet/valueTest.ts'

/** Returns whether a value of a tag meets a condition on it. */
function meets(value: string, condition: string): boolean {
  const range = valueRangeOf(parseQuery(`a.b ${condition}`).conditions)
  return range !== undefined && inRange(range, value)
}

const places = 12
const digits = fc.bigInt({ min: 0n, max: 10n ** 30n })

/** Spells a count of 10⁻¹², with zeros around it or in powers of ten. */
const spelled = fc
  .tuple(digits, fc.constantFrom('', '00'), fc.constantFrom('', '0', '000'))
  .map(([count, left, right]) => {
    const text = count.toString().padStart(places + 1, '0')
    return { count, text: `${left}${text.slice(0, -places)}.${text.slice(-places)}${right}` }
  })

test('numbers are compared exactly, however they are spelled', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(spelled, spelled, fc.constantFrom('', '-'), ({ count, text }, bound, sign) => {
        const value = sign === '' ? count : -count
        t.is(meets(`${sign}${text}`, `< ${bound.text}`), value < bound.count)
        t.is(meets(`${sign}${text}`, `>= ${bound.text}`), value >= bound.count)
        t.is(meets(`${sign}${count}e-${places}`, `<= ${bound.text}`), value <= bound.count)
      }),
      { seed: 3, numRuns: 500 },
    ),
  )
  t.true(meets('0.30', '<= 0.3') && meets('-0', '>= 0') && meets('1e3', '>= 1000') && meets('1E+3', '<= 1000.0'))
  t.false(meets('1e', '> 0') || meets('.', '> 0') || meets('+.e1', '>= 0') || meets('1.2.3', '> 0'))
})

test('a query with a million digits does not hold up the chain, whatever it is compared with', (t) => {
  const long = '9'.repeat(900_000)
  const condition = valueRangeOf(parseQuery(`a.b < ${long} AND a.b > 0.${long}`).conditions)
  if (condition === undefined) return t.fail('the condition is refused')
  // Milliseconds; hours if each value were compared digit by digit, or a text tried from each of its places.
  const values = Array.from({ length: 100_000 }, (_, index) => String(index + 1))
  t.true(values.every((value) => inRange(condition, value)))
  t.false(meets(`${'1'.repeat(1_000_000)}x`, '> 1'))
})
