import test from 'ava'
import { allHold } from './allHold.ts'

// The first 100 of the 10,000 run in `npm test`.
for (let from = 101; from <= 10_000; from += 550) {
  test.serial(`after every step of the storms ${from} to ${from + 549} everything holds`, async (t) => {
    await allHold(t, { from, count: 550 })
  })
}

test.serial('after every step of 10 long storms everything holds', async (t) => {
  await allHold(t, { from: 1, count: 10, steps: 400 })
})
