/** The first of the long tests to start: it waits half of its time, and the others run beside it. */
import test from 'ava'
import { soaked } from '../helpers/soaked.ts'

test('thirty minutes of mixed traffic on a chain that keeps its newest blocks leave little in memory', async (t) => {
  t.timeout(3_600_000)
  const samples = await soaked({ minutes: 30, samples: 30, pause: 40 })
  t.log(samples.map((one) => `${one.seconds} s ${(one.bytes / 1e6).toFixed(1)} MB`).join(', '))
  const { requests = 0, blocks = 0 } = samples.at(-1) ?? {}
  t.log(`${requests} requests, ${blocks} blocks`)
  t.true(requests > 30_000 && blocks > 3000)
  const least = (from: number, to: number) => Math.min(...samples.slice(from, to).map(({ bytes }) => bytes))
  t.is(samples.length, 30)
  t.true(least(20, 30) - least(5, 15) < 10_000_000)
})
