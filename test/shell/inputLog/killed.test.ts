import test from 'ava'
import { killNodes } from '../../helpers/killedNodes.ts'

test('after kill -9 under load a node has every transaction that it acknowledged, in the same block', async (t) => {
  await killNodes(t, { times: 3, data: () => '0x' })
})

test('so it does where the operating system alone has what was acknowledged', async (t) => {
  await killNodes(t, { times: 1, data: () => `0x${'00'.repeat(30_000)}`, flags: ['--durability', 'write'] })
})
