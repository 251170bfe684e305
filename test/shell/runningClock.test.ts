import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createRunningClock } from '../../src/shell/runningClock.ts'

/** A clock with clocks that are moved by hand, and the leaps that it told. */
function byHand() {
  const at = { steady: 1000, date: 1_800_000_000_000 }
  const clock = createRunningClock({ steadyMs: () => at.steady, dateMs: () => at.date, lookMs: 5 })
  const leaps: number[] = []
  const ignore = clock.onLeap((ms) => leaps.push(ms))
  return { at, clock, leaps, ignore }
}

test('a running clock stands still while the process does not run, and tells the leap of the machine clock', async (t) => {
  const { at, clock, leaps, ignore } = byHand()
  at.steady += 9000
  at.date += 9000
  t.is(clock.nowMs(), 9000)
  at.steady += 90_000
  at.date += 90_000
  t.is(clock.nowMs(), 9000)
  await sleep(50)
  t.deepEqual(leaps, [90_000])
  ignore()
  at.date += 90_000
  await sleep(50)
  t.deepEqual(leaps, [90_000])
})

test('a machine clock that is set back and then right again is no leap', async (t) => {
  const { at, clock, leaps } = byHand()
  at.date -= 3_600_000
  await sleep(50)
  at.date += 3_600_000 + 500
  await sleep(50)
  t.deepEqual([clock.nowMs(), leaps], [0, []])
})
