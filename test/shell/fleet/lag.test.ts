import test from 'ava'
import { setTimeout as delay } from 'node:timers/promises'
import { createLag } from '../../../src/shell/fleet/lag.ts'

test('a copy that is connected and does not keep up says since when', async (t) => {
  let [announced, sequence, silentMs] = [5, 5, 0]
  const lag = createLag({ announced: () => announced, sequence: () => sequence, silentMs: () => silentMs })
  t.is(lag.ms(), 0)
  announced = 6
  t.is(lag.ms(), 0)
  await delay(600)
  t.true(lag.ms() >= 590)
  sequence = 6
  t.is(lag.ms(), 0)
  silentMs = 4000
  t.is(lag.ms(), 4000)
})
