/** Memory that only a start needed is returned to the system once, as soon as nobody uses the chain. */
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { releaseStartMemory } from '../../../src/shell/process/startMemory.ts'
import { freePorts, startCli } from '../../helpers/cli.ts'
import { eth } from '../../helpers/fleetLoad.ts'

/** A chain that says whether it is in use each time that it is asked; `seen` counts, also what is released. */
function watched(isUsed: (asked: number) => boolean) {
  const seen = { asked: 0, released: 0 }
  const idleMs = () => {
    seen.asked += 1
    return isUsed(seen.asked) ? 0 : 500
  }
  const stop = releaseStartMemory(idleMs, () => {
    seen.released += 1
    return Promise.reject(new Error('without an inspector'))
  })
  return { seen, stop }
}

test('memory is released once, after the chain has been unused for a moment', async (t) => {
  const { seen } = watched((asked) => asked <= 2)
  while (seen.released === 0) await delay(10)
  await delay(300)
  t.deepEqual(seen, { asked: 6, released: 1 })
})

test('nothing is released between requests that follow each other, however long each takes', async (t) => {
  const { seen, stop } = watched((asked) => asked % 4 === 0)
  while (seen.asked < 9) await delay(10)
  stop()
  t.is(seen.released, 0)
})

test('nothing is released after the end', async (t) => {
  const { seen, stop } = watched((asked) => {
    if (asked === 2) stop()
    return false
  })
  while (seen.asked < 2) await delay(10)
  await delay(500)
  t.deepEqual(seen, { asked: 2, released: 0 })
})

test('a program that was started collects its garbage once, and serves on', async (t) => {
  const started = startCli(['start', '--json', '--json-rpc.enable-profiling', ...freePorts])
  try {
    const [line] = await started.says(/^\{"chainstage".*$/m)
    const { urls } = JSON.parse(line) as { urls: { eth: string } }
    let forced = 0
    // A question counts as a use: each is later than the moment that the program waits for.
    while (forced === 0) {
      await delay(1000)
      forced = (await eth<{ NumForcedGC: number }>(urls.eth, 'debug_memStats')).NumForcedGC
    }
    t.is(forced, 1)
    t.is(await eth(urls.eth, 'eth_blockNumber'), '0x1')
  } finally {
    started.process.kill('SIGTERM')
    await started.ended
  }
})
