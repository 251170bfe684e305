import test from 'ava'
import { allHold } from './allHold.ts'

test('after every step of 100 storms everything holds', async (t) => {
  const { recoveries, heads, inputs } = await allHold(t, { from: 1, count: 100 })
  t.true(recoveries > 30 && heads > 5 && inputs > 2000, `${recoveries} recoveries, ${heads} blocks, ${inputs} inputs`)
})
