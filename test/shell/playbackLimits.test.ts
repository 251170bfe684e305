/** A playback keeps a bounded amount about its clients. */
import test from 'ava'
import { distinctTexts, withMore } from '../../src/data/distinctTexts.ts'
import { createGuard } from '../../src/recording/playback/heads.ts'
import { createPlayer } from '../../src/recording/playback/player.ts'
import { importTap } from '../../src/recording/playback/importTap.ts'
import { createAnswering, mergedReports } from '../../src/shell/recordings/modes.ts'

const nothing = importTap('{"format":"tap/1"}\n', () => [])

test('a list of distinct texts keeps the first ones and counts the others', (t) => {
  const texts = distinctTexts()
  for (let count = 0; count < 10_003; count++) texts.add(`call ${count}`)
  texts.add('call 0')
  t.is(texts.all().length, 10_000)
  t.is(texts.more(), 3)
  t.is(withMore(texts.all(), texts.more()).at(-1), '3 more calls')
  const long = distinctTexts()
  for (const letter of ['a', 'b', 'c']) long.add(letter.repeat(7 * 1024 * 1024))
  t.deepEqual([long.all().length, long.more()], [2, 1])
})

test('a report has the first misses, and says how many more there were', (t) => {
  const player = createPlayer(nothing)
  const answering = createAnswering({
    mode: 'strict',
    player,
    library: () => nothing,
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined },
    note: () => {},
    maxDegraded: 0,
  })
  for (let count = 0; count < 10_002; count++) player.ask(`eth eth_getBalance ["0x${count}"]`, 0)
  const report = answering.report()
  t.is(report.misses.length, 10_000)
  t.deepEqual(report.more, { misses: 2, used: 0, passed: 0, differences: 0 })
  t.is(mergedReports([report, report]).more.misses, 4)
})

test('the head that a client has seen is forgotten when its connection closes', (t) => {
  const guard = createGuard()
  guard.raise(9, 1)
  t.is(guard.headOf(1), 9)
  guard.drop(1)
  t.is(guard.headOf(1), 0)
  t.is(guard.headOf(undefined), 9)
})
