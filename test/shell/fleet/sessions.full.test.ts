/** Sessions of a fleet while one of its members cannot reach NATS. */
import test from 'ava'
import { eth, transfer } from '../../helpers/fleetLoad.ts'
import { cuttingProxy } from '../../helpers/cuttingProxy.ts'
import { noNats, startMember, startNats } from '../../helpers/nats.ts'

const withNats = noNats === undefined ? test.serial : test.skip
if (noNats !== undefined) test.skip(noNats, () => {})

withNats('a member that was cut off neither hangs, nor mixes a session with one made again', async (t) => {
  t.timeout(120_000)
  const nats = await startNats()
  const proxy = await cuttingProxy(nats.port)
  t.teardown(nats.remove)
  const [here, there] = await Promise.all([startMember(nats.url, 'cut'), startMember(proxy.url, 'cut')])
  t.teardown(() => Promise.all([here, there].map((one) => one.kill())))
  const again = (url: string) => `${url}/s/again`
  const height = (url: string) => eth(url, 'eth_blockNumber')

  await transfer(again(here.eth), 1)
  const old = await transfer(again(there.eth), 2)
  proxy.cut()
  const since = performance.now()
  const unopened = Promise.all([1, 2].map(() => t.throwsAsync(height(`${there.eth}/s/late`))))
  t.is((await fetch(`${here.control}/api/sessions/again`, { method: 'DELETE' })).status, 200)
  for (let sent = 0; sent < 8; sent += 1) await transfer(again(here.eth), 3)
  for (const error of await unopened) t.regex(error?.message ?? '', /has not caught up with its fleet yet/)
  t.true(performance.now() - since < 15_000)
  // Whoever asks later than the first ones is answered, too.
  t.regex((await t.throwsAsync(height(`${there.eth}/s/late`)))?.message ?? '', /has not caught up/)

  proxy.join()
  t.is(await height(`${there.eth}/s/late`), '0x1')
  // A write before the member has noticed may be refused, but never enters the new session as another one.
  await t.notThrowsAsync(transfer(again(there.eth), 4).catch(() => transfer(again(there.eth), 4)))
  t.is(await height(again(there.eth)), '0xa')
  t.is(await height(again(here.eth)), '0xa')
  t.is(await eth(again(there.eth), 'eth_getTransactionReceipt', [old]), null as never)
  const hashes = await Promise.all(
    [here, there].map(async ({ eth: url }) => {
      const block = await eth<{ hash: string }>(again(url), 'eth_getBlockByNumber', ['0xa', false])
      return block.hash
    }),
  )
  t.is(hashes[0], hashes[1])
})
