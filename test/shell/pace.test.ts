import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { createPace } from '../../src/shell/pace.ts'

test('simulation time passes so many times as fast as the wall', async (t) => {
  const before = performance.now()
  const pace = createPace('wall', () => {}, 1000)
  const after = performance.now()
  await sleep(5)
  const [least, now, most] = [performance.now() - after, pace.nowMs(), performance.now() - before]
  t.true(now >= BigInt(Math.floor(least * 1000)) && now <= BigInt(Math.ceil(most * 1000)), `${least} ${now} ${most}`)
})

test('what is due comes when its time has, in time that is fast', async (t) => {
  let [pace, dueMs]: [ReturnType<typeof createPace> | undefined, bigint] = [undefined, 0n]
  const atMs = await new Promise<bigint>((done) => {
    pace = createPace('wall', () => done(pace?.nowMs() ?? 0n), 1000)
    dueMs = pace.nowMs() + 20_000n
    pace.wake(dueMs)
  })
  t.true(atMs >= dueMs, `${atMs} ${dueMs}`)
})

test('two calls that move standing time at once move it by the sum of both', async (t) => {
  const pace = createPace('manual', () => pace.wake(pace.nowMs() + 1000n))
  pace.wake(1000n)
  await Promise.all([pace.advance(10_000), pace.advance(5000)])
  t.is(pace.nowMs(), 15_000n)
})

test('standing time that is restored while it moves stays where it was restored to', async (t) => {
  const pace = createPace('manual', () => {
    if (pace.nowMs() === 3000n) pace.setNow(500n)
    pace.wake(pace.nowMs() + 1000n)
  })
  pace.wake(1000n)
  await pace.advance(10_000)
  t.is(pace.nowMs(), 500n)
  await pace.advance(1000)
  t.is(pace.nowMs(), 1500n, 'the next call counts from there')
})
