import test from 'ava'
import { growth, soaked } from '../helpers/soaked.ts'

test('some seconds of mixed traffic leave little in memory', async (t) => {
  t.timeout(120_000)
  const [first, ...later] = await soaked({ minutes: 0.05, samples: 3 })
  const last = later.at(-1)
  const { bytes, each } = growth(first, last)
  t.log(`${each} bytes for each of ${last?.requests} requests`)
  // A part of it is code that is compiled on first use, so the limit has a constant.
  t.true(bytes < 10_000_000 + 4000 * (last?.requests ?? 0), `${bytes} bytes`)
})
