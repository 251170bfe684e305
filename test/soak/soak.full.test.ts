/** `npm run soak -- --minutes 30` is the long form of this test. */
import test from 'ava'
import { soaked } from '../helpers/soaked.ts'

test('two minutes of mixed traffic on a chain that keeps its newest blocks leave little in memory', async (t) => {
  t.timeout(600_000)
  const samples = await soaked(2, 12)
  t.log(samples.map((one) => `${one.seconds} s ${(one.bytes / 1e6).toFixed(1)} MB`).join(', '))
  const least = (from: number, to: number) => Math.min(...samples.slice(from, to).map(({ bytes }) => bytes))
  // The figures rise and fall by 20 MB within 20 minutes, because old states are dropped in large groups.
  t.is(samples.length, 12)
  t.true(least(8, 12) - least(4, 8) < 15_000_000)
})
