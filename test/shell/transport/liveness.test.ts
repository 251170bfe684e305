import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { watchLiveness } from '../../../src/shell/transport/peer.ts'
import { eventually } from '../../helpers/server.ts'

test('time for which the process did not run is no silence of a client', async (t) => {
  const clock = { ms: 0 }
  let [pings, cuts] = [0, 0]
  const socket = { ping: () => void pings++, on: () => {} }
  const times = { pingEveryMs: 27, silentMostMs: 30, nowMs: () => clock.ms }
  const { stop } = watchLiveness(socket, () => void cuts++, times)
  clock.ms = 5
  await sleep(200)
  t.true(pings > 0)
  t.is(cuts, 0)
  clock.ms = 35
  await eventually(() => cuts > 0)
  stop()
})
