import test from 'ava'
import { storm } from './helpers/storm.ts'

test('1,000 random controls and transactions leave what a model says', async (t) => {
  await storm(t, 1000, 20_250_101)
})
