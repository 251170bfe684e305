import test from 'ava'
import { parseQuery, queryText } from '../../src/feed/parseQuery.ts'

const refused = test.macro({
  exec(t, query: string, text: string) {
    t.throws(() => parseQuery(query), { code: 'QUERY_SYNTAX', message: text })
  },
  title: (_given, query) => `the query ${JSON.stringify(query)} is refused in CometBFT's words`,
})

test(refused, '', 'offset 0: EOF')
test(refused, 'tm.event=', 'offset 9: EOF')
test(refused, 'tm.event=NewBlock', 'offset 9: got tag, wanted number, timestamp, datestamp or string')
test(refused, 'tm.event=!x', 'offset 9: invalid input ! at offset 10')
test(refused, "tm.event='x", 'offset 9: EOF')
test(refused, "tm.event='x' tm.event='y'", 'offset 13: got tag, want 6')
test(refused, 'a.b CONTAINS 5', 'offset 13: got number, wanted string')
test(refused, 'AND a=1', 'offset 0: got AND operator, wanted tag')
test(
  refused,
  "tm.event 'x'",
  'offset 9: got string, wanted <= operator, >= operator, < operator, > operator, = operator, CONTAINS operator or EXISTS operator',
)
test(refused, "x < 'a'", 'offset 4: got string, wanted number, timestamp or datestamp')
test(refused, 'a = TIME 1800-01-01T00:00:00Z', 'offset 4: timestamp year 1800 out of range')
test(refused, 'a = DATE 2013-13-45', 'offset 4: invalid DATE value: parsing time "2013-13-45": month out of range')
// The lexer stops at the first character that no time has.
test(
  refused,
  'a = TIME x',
  'offset 4: invalid TIME value: parsing time "" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"',
)
test(refused, "tm.event='x' !", 'offset 13: got invalid token, want 6')
test(refused, 'a=.5', 'offset 2: invalid input . at offset 3')
test(refused, 'a=-1', 'offset 2: invalid input - at offset 3')
test(refused, 'a==1', 'offset 2: got = operator, wanted number, timestamp, datestamp or string')
test(refused, "é='x' y", 'offset 7: got tag, want 6')

test('layout does not matter to the normal form, order does', (t) => {
  const [first, second, third] = ["a='x'AND b>5", "a   =  'x' AND b > 5", "b>5 AND a='x'"].map((text) =>
    queryText(parseQuery(text)),
  )
  t.is(first, second)
  t.not(first, third)
})

test('a number may end in a dot and may have any size', (t) => {
  t.deepEqual(parseQuery('a=1.').conditions, [{ tag: 'a', operator: '=', operand: { type: 'number', text: '1.' } }])
  t.is(parseQuery(`a>${'9'.repeat(80)}`).conditions.length, 1)
})
