/** `npm run soak -- --minutes 30` is the long form of this test. */
import test from 'ava'
import { growth, soaked } from '../helpers/soaked.ts'

test('two minutes of mixed traffic leave less and less in memory', async (t) => {
  t.timeout(600_000)
  const samples = await soaked(2, 8)
  const { bytes, each } = growth(samples[3], samples[7])
  t.log(samples.map((one) => `${one.seconds} s ${(one.bytes / 1e6).toFixed(1)} MB`).join(', '))
  const { requests = 0 } = samples[7] ?? {}
  t.true(bytes < 4_000_000 + 2000 * requests, `${each} bytes for each request`)
})
