import test from 'ava'
import fc from 'fast-check'
import { formatTime, parseDate, parseTime, TimeSyntaxError } from '../../src/codec/time.ts'
import { zeroTime } from '../../src/data/time.ts'

test('the zero time of Go is the first of January of year 1', (t) => {
  t.is(formatTime(zeroTime), '0001-01-01T00:00:00Z')
  t.deepEqual(parseTime('0001-01-01T00:00:00Z'), zeroTime)
})

test('trailing zeros of the fraction and a bare dot are left out', (t) => {
  t.is(formatTime({ seconds: 0n, nanos: 0 }), '1970-01-01T00:00:00Z')
  t.is(formatTime({ seconds: 1n, nanos: 500_000_000 }), '1970-01-01T00:00:01.5Z')
  t.is(formatTime({ seconds: -1n, nanos: 612_345_678 }), '1969-12-31T23:59:59.612345678Z')
})

test('an offset is taken off', (t) => {
  t.is(formatTime(parseTime('2026-01-02T03:04:05+01:30')), '2026-01-02T01:34:05Z')
})

test('times are those of the platform and read back', (t) => {
  const years = {
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  }
  fc.assert(
    fc.property(fc.date(years), fc.integer({ min: 0, max: 999_999_999 }), (date, nanos) => {
      const seconds = BigInt(Math.floor(date.getTime() / 1000))
      t.is(formatTime({ seconds, nanos }).slice(0, 19), date.toISOString().slice(0, 19))
      t.deepEqual(parseTime(formatTime({ seconds, nanos })), { seconds, nanos })
      t.is(parseDate(date.toISOString().slice(0, 10)).seconds, seconds - (((seconds % 86400n) + 86400n) % 86400n))
    }),
    { seed: 9 },
  )
})

const refuses = test.macro((t, read: (text: string) => unknown, text: string, message: string) => {
  t.is(t.throws(() => read(text), { instanceOf: TimeSyntaxError })?.message, message)
})
const layout = 'as "2006-01-02T15:04:05Z07:00"'
for (const [text, message] of [
  ['', `parsing time "" ${layout}: cannot parse "" as "2006"`],
  ['2013-13-45T00:00:00Z', 'parsing time "2013-13-45T00:00:00Z": month out of range'],
  ['2013-02-29T00:00:00Z', 'parsing time "2013-02-29T00:00:00Z": day out of range'],
  ['2013-02-28 00:00:00Z', `parsing time "2013-02-28 00:00:00Z" ${layout}: cannot parse " 00:00:00Z" as "T"`],
  ['2013-02-28T24:00:00Z', 'parsing time "2013-02-28T24:00:00Z": hour out of range'],
  ['2013-02-28T00:00:00', `parsing time "2013-02-28T00:00:00" ${layout}: cannot parse "" as "Z07:00"`],
  ['2013-02-28T00:00:00Zx', 'parsing time "2013-02-28T00:00:00Zx": extra text: "x"'],
] as const)
  test(`"${text}" is refused as Go does`, refuses, parseTime, text, message)
test(
  'a date out of range is refused',
  refuses,
  parseDate,
  '2013-13-45',
  'parsing time "2013-13-45": month out of range',
)
