import test from 'ava'
import { storm } from './helpers/storm.ts'

for (const seed of [1]) {
  test(`10,000 random controls and transactions leave what a model says (seed ${seed})`, async (t) => {
    await storm(t, 10_000, seed)
  })
}
