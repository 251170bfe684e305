import test from 'ava'
import { createLag } from '../../../src/shell/fleet/lag.ts'

test('a copy that is connected and does not keep up says since when', (t) => {
  let [announced, sequence, silentMs, now] = [5, 5, 0, 1000]
  const lag = createLag({
    announced: () => announced,
    sequence: () => sequence,
    silentMs: () => silentMs,
    nowMs: () => now,
  })
  t.is(lag.ms(), 0)
  announced = 6
  t.is(lag.ms(), 0)
  now += 499
  t.is(lag.ms(), 0)
  now += 1
  t.is(lag.ms(), 500)
  sequence = 6
  t.is(lag.ms(), 0)
  silentMs = 4000
  t.is(lag.ms(), 4000)
})
