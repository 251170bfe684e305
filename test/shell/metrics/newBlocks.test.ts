/** Which blocks the metrics count as mined. */
import { rmSync } from 'node:fs'
import test from 'ava'
import { scratch } from '../../helpers/cli.ts'
import { api, startControlled } from '../../helpers/control.ts'
import { seriesValue } from '../../helpers/exposition.ts'

test('blocks of a loaded state are not counted again, not even after a reorg', async (t) => {
  const checkpoints = scratch()
  await using server = await startControlled({ prometheus: true, checkpoints })
  const count = async (series: string) => seriesValue(await (await fetch(server.urls.metrics)).text(), series)
  server.mine(4)
  await api(server, '/checkpoints/saved', { name: 'five' })
  await api(server, '/checkpoints/load', { name: 'five' })
  t.is(await count('chainstage_blocks_total'), 5)
  await api(server, '/reorg', { depth: 2 })
  t.is(await count('chainstage_height'), 5)
  t.is(await count('chainstage_blocks_total'), 7)
  rmSync(checkpoints, { recursive: true })
})

test('a restored checkpoint and closed blocks are not counted again', async (t) => {
  await using server = await startControlled({ prometheus: true })
  const count = async () => seriesValue(await (await fetch(server.urls.metrics)).text(), 'chainstage_blocks_total')
  server.mine(299)
  const before = server.checkpoint()
  await api(server, '/reorg', { depth: 250 })
  t.is(await count(), 550)
  before.restore()
  t.is(await count(), 550)
})
