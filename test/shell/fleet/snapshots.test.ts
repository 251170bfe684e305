/** Snapshots in the Object Store of a real NATS server. */
import test from 'ava'
import { openNats } from '../../../src/shell/fleet/nats.ts'
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
  const slow = { putBlob, delete: (name: string) => objects.delete(name) } as typeof objects
  const paused = createSnapshots({ ...nats, objects: slow }, '', 'id')
  t.is(await paused.keep({ sequence: 200, bytes: Buffer.from('state 200') }), undefined)
  const newest = await others.newest()
  t.deepEqual([newest?.sequence, newest && String(newest.bytes)], [400, 'state 400'])
  const names = (await objects.list()).filter(({ deleted }) => !deleted).map(({ name }) => name)
  t.deepEqual(names.map((name) => name.split('.').at(-1)).sort(), ['300', '400'])
})
