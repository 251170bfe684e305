/** Snapshots in the Object Store of a real NATS server. */
import test from 'ava'
import { openNats, type Nats } from '../../../src/shell/fleet/nats.ts'
import { createSnapshots } from '../../../src/shell/fleet/snapshots.ts'
import { noNats, startNats } from '../../helpers/nats.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

withNats('a member that was paused while it kept a snapshot does not replace newer ones', async (t) => {
  const server = await startNats()
  t.teardown(server.remove)
  const nats = await openNats({ servers: [server.url], name: 'snap' }, 'test')
  t.teardown(() => nats.connection.close())
  const others = createSnapshots(nats, '', 'id')
  const keep = (sequence: number) => others.keep({ sequence, bytes: Buffer.from(`state ${sequence}`) })
  t.is(await keep(100), undefined)
  const { objects } = nats
  const putBlob: typeof objects.putBlob = async (...given) => {
    const put = await objects.putBlob(...given)
    t.is(await keep(300), 100)
    t.is(await keep(400), 300)
    return put
  }
  const paused = createSnapshots({ ...nats, objects: { putBlob } as typeof objects }, '', 'id')
  t.is(await paused.keep({ sequence: 200, bytes: Buffer.from('state 200') }), undefined)
  const newest = await others.newest()
  t.deepEqual([newest?.sequence, newest && String(newest.bytes)], [400, 'state 400'])
  t.deepEqual(await storedIn(nats), ['300', '400'])
})

withNats('nothing is left of snapshots that newer ones have replaced, and of those of a removed chain', async (t) => {
  const server = await startNats()
  t.teardown(server.remove)
  const nats = await openNats({ servers: [server.url], name: 'snap' }, 'test')
  t.teardown(() => nats.connection.close())
  const { keep, remove } = createSnapshots(nats, '', 'id')
  for (let sequence = 1; sequence <= 7; sequence += 1) await keep({ sequence, bytes: Buffer.from('state') })
  t.deepEqual(await storedIn(nats), ['6', '7'])
  t.is(await messages(nats), 4, 'each has one piece and its description')
  await remove()
  t.is(await messages(nats), 0)
})

/** Resolves with the numbers of the snapshots that the server stores. */
async function storedIn({ objects }: Nats): Promise<readonly string[]> {
  return (await objects.list()).map(({ name }) => name.split('.').at(-1) ?? '').sort()
}

async function messages({ jsm }: Nats): Promise<number> {
  return (await jsm.streams.info('OBJ_chainstage_snap')).state.messages
}
