/**
 * viem, ethers and cosmjs are recorded through the proxy against our own chain, and see the same
 * values when the recording answers: at four speeds, with doubled polling, with the chain gone.
 */
import { join } from 'node:path'
import test from 'ava'
import { start } from '../../src/index.ts'
import { loadLibrary, originNow, saveLibrary } from '../../src/shell/recordings/folderFiles.ts'
import { startProxy } from '../../src/shell/recordings/proxy.ts'
import { openSink } from '../../src/shell/recordings/sink.ts'
import { scratch } from '../helpers/cli.ts'
import { dappSession } from '../helpers/dappSession.ts'
import { eventually } from '../helpers/server.ts'
import { startPlayback } from '../helpers/playback.ts'

const recorded = (async () => {
  const chain = await start({ ports: 'free', settings: { profile: 'evmd', interval: '400ms' } })
  // The first transactions need a block to stand on.
  await eventually(() => chain.simulation().node.chain.height >= 2n)
  const folder = join(scratch(), 'own')
  const sink = openSink(join(folder, 'log.jsonl'), [])
  const proxy = await startProxy({
    upstreams: {
      comet: new URL(chain.urls.comet),
      eth: new URL(chain.urls.eth),
      ethWs: new URL(chain.urls.ethWs),
    },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: sink.note,
    log: () => {},
  })
  const seen = await dappSession(proxy.urls, 200)
  await proxy.close()
  await chain.close()
  await saveLibrary(folder, sink.end(), originNow())
  return { seen, withheld: sink.withheld(), library: await loadLibrary(folder) }
})()

const plays = test.macro(async (t, scale: number, pollMs: number) => {
  t.timeout(120_000)
  const { seen, library, withheld } = await recorded
  t.deepEqual(withheld, [])
  await using playing = await startPlayback(library, { scale })
  t.deepEqual(await dappSession(playing.running.urls, pollMs), seen)
  t.deepEqual(playing.player.misses(), [])
})

for (const scale of [0.5, 1, 2, 8]) {
  test(`the same values at ${scale} times the speed`, plays, scale, 200)
}
test('the same values with doubled polling', plays, 1, 100)
