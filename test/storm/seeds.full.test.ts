import test from 'ava'
import { allHold } from './allHold.ts'

// As many as fit into some minutes: `npm run storm -- --seed 1 --count 10000` runs more.
for (let from = 101; from < 1901; from += 100) {
  test.serial(`after every step of the storms ${from} to ${from + 99} everything holds`, async (t) => {
    await allHold(t, { from, count: 100 })
  })
}

test.serial('after every step of 10 long storms everything holds', async (t) => {
  await allHold(t, { from: 1, count: 10, steps: 400 })
})
