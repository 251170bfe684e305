import test from 'ava'
import { createPublicClient, http, webSocket, type Hex } from 'viem'
import { erc20Flow } from '../helpers/erc20Flow.ts'
import { allGone, startLocal } from '../helpers/server.ts'

test('sessions run the same flow side by side and see nothing of each other', async (t) => {
  await using server = await startLocal()
  const amounts = Array.from({ length: 20 }, (_, index) => BigInt(index + 1))
  const seen = await Promise.all(amounts.map((amount) =>
    erc20Flow(`${server.urls.eth}/s/flow-${amount}`, amount)))
  t.deepEqual(seen, amounts.map((balance) => ({ logs: 1, height: 3n, balance })))
  t.is(server.simulation().node.chain.height, 1n)
  t.is(server.simulation().journal.counts.size, 0)
})

test('interface A of a session shows the session', async (t) => {
  await using server = await startLocal()
  const { eth, comet } = server.urls
  const mined = createPublicClient({ transport: http(`${eth}/s/a/`) })
  await mined.request({ method: 'anvil_mine' as 'eth_chainId', params: ['0x5'] as never })
  const heightOf = async (url: string) => {
    const { result } = await (await fetch(`${url}/status`)).json() as
      { result: { sync_info: { latest_block_height: string } } }
    return result.sync_info.latest_block_height
  }
  t.is(await heightOf(`${comet}/s/a`), '6')
  t.is(await heightOf(`${comet}/s/b`), '1')
  t.is(await heightOf(comet), '1')
})

test('a socket of a session hears of its blocks alone', async (t) => {
  await using server = await startLocal()
  const listener = createPublicClient({
    transport: webSocket(`${server.urls.ethWs}/s/ears`, { reconnect: false }),
  })
  const heard: bigint[] = []
  await listener.transport.subscribe({
    params: ['newHeads'],
    onData: ({ result }) => heard.push(BigInt((result as { number: Hex }).number)),
  })
  const mine = (url: string) => createPublicClient({ transport: http(url) })
    .request({ method: 'anvil_mine' as 'eth_chainId', params: ['0x2'] as never })
  await mine(server.urls.eth)
  await mine(`${server.urls.eth}/s/other`)
  await mine(`${server.urls.eth}/s/ears`)
  await listener.getChainId()
  t.deepEqual(heard, [2n, 3n])
  ;(await listener.transport.getRpcClient()).close()
  await allGone(server)
})

test('a session name that is none is refused', async (t) => {
  await using server = await startLocal()
  const answer = await fetch(`${server.urls.eth}/s/%20/`, { method: 'POST', body: '{}' })
  t.is(answer.status, 404)
  t.regex(await answer.text(), /expected a session name like test-1/)
})
