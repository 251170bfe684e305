import test from 'ava'
import { matchesQuery } from '../../src/feed/matchQuery.ts'
import { parseQuery } from '../../src/feed/parseQuery.ts'

const events = new Map([
  ['tm.event', ['Tx']],
  ['tx.height', ['12']],
  ['transfer.amount', ['8atom', '5.0']],
  ['transfer.recipient', ['alice', 'bob']],
  ['t.at', ['2013-05-03T14:45:00Z']],
  ['t.on', ['2013-05-03']],
  ['t.bad', ['-4', 'x1']],
])

const matching = test.macro({
  exec(t, query: string, wanted: boolean) {
    t.is(matchesQuery(parseQuery(query), events), wanted)
  },
  title: (_given, query, wanted) => `${query} ${wanted ? 'matches' : 'does not match'}`,
})

test(matching, "tm.event='Tx'", true)
test(matching, "tm.event='tx'", false)
test(matching, "tm.event='Tx' AND tx.height>12", false)
test(matching, "tm.event='Tx' AND tx.height>=12", true)
test(matching, 'transfer.amount=8', true)
test(matching, 'transfer.amount=5', true)
test(matching, 'transfer.amount=5.', true)
test(matching, 'transfer.amount>8', false)
test(matching, 'transfer.amount<5.1', true)
test(matching, "transfer.recipient CONTAINS 'li'", true)
test(matching, "transfer.recipient='alice' AND transfer.amount=5", true)
test(matching, 'transfer EXISTS', true)
test(matching, 'trans EXISTS', false)
test(matching, 'transfer.sender EXISTS', false)
test(matching, 't.at > TIME 2013-05-03T14:44:59Z', true)
test(matching, 't.at > TIME 2013-05-03T14:45:00Z', false)
test(matching, 't.on = DATE 2013-05-03', true)
test(matching, 't.on < DATE 2013-05-03', false)
test(matching, 't.bad > 0', false)
test(matching, 't.bad < 0', false)
test(matching, "tx.height='12'", true)
