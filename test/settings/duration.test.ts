import test from 'ava'
import { durationMs, durationNanos, goDurationNanos, InvalidDuration } from '../../src/settings/duration.ts'

const lasts = test.macro((t, text: string, ms: bigint) => {
  t.is(durationMs(text), ms)
})

test('seconds', lasts, '30s', 30_000n)
test('minutes and seconds', lasts, '2m0s', 120_000n)
test('hours', lasts, '3h', 10_800_000n)
test('fractions', lasts, '1.5s', 1500n)
test('a fraction without a whole', lasts, '.5s', 500n)
test('days', lasts, '14d', 1_209_600_000n)
test('days and hours', lasts, '1d2h', 93_600_000n)
test('negative', lasts, '-1s', -1000n)
test('zero needs no unit', lasts, '0', 0n)

test('the node knows no days', (t) => {
  t.is(goDurationNanos('26h'), durationNanos('1d2h'))
  t.throws(() => goDurationNanos('1d2h'), { instanceOf: InvalidDuration, message: 'time: invalid duration "1d2h"' })
})

test('nanoseconds are kept apart', (t) => {
  t.is(durationNanos('1ns'), 1n)
})

for (const text of ['', 's', '5', '5 s', '1x', '1s2']) {
  test(`no duration: "${text}"`, (t) => {
    t.throws(() => durationMs(text), { instanceOf: InvalidDuration, message: `time: invalid duration "${text}"` })
  })
}
