import test from 'ava'
import { allHold } from './allHold.ts'

// As many as fit into some minutes: `npm run storm -- --seed 1 --count 10000` runs the rest.
test('after every step of 1,000 storms, and of 10 long ones, everything holds', async (t) => {
  await allHold(t, { from: 1001, count: 1000 })
  await allHold(t, { from: 1, count: 10, steps: 500 })
})
