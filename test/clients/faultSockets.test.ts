/** What the WebSockets of viem, ethers and cosmjs make of connections that break or fall silent. */
import test from 'ava'
import { Comet38Client } from '@cosmjs/tendermint-rpc'
import { WebSocketProvider } from 'ethers'
import { createPublicClient, webSocket } from 'viem'
import { CosmjsSocket } from '../helpers/cosmjsSocket.ts'
import { chainOf, eventually, startLocal } from '../helpers/server.ts'

test('viem comes back after a cut and hears the next heads, not those of the gap', async (t) => {
  await using server = await startLocal()
  const transport = webSocket(server.urls.ethWs, { reconnect: { delay: 40, attempts: 100 }, retryCount: 0 })
  const client = createPublicClient({ chain: chainOf(server.urls.eth), transport })
  const heads: number[] = []
  const errors: string[] = []
  const stop = client.watchBlocks({
    onBlock: ({ number }) => {
      heads.push(Number(number))
    },
    onError: ({ name }) => {
      errors.push(name)
    },
  })
  await eventually(() => server.simulation().node.subscriptions.eth.size === 1)
  const first = server.mine(1)
  await eventually(() => heads.includes(first))
  await server.fault(
    'cut',
    {
      match: { iface: 'eth', transport: 'ws' },
      effect: { ws: { close: { code: 1006, mid: 'frame' }, refuseFor: '2 blocks' } },
    },
    { forBlocks: 1 },
  )
  await eventually(() => server.simulation().node.connections.size === 0)
  const last = server.mine(2)
  await eventually(() => server.simulation().node.subscriptions.eth.size === 1)
  const next = server.mine(1)
  await eventually(() => heads.includes(next))
  t.deepEqual(
    heads.filter((height) => height > first && height <= last),
    [],
  )
  t.is(next, last + 1)
  stop()
  ;(await client.transport.getRpcClient()).close()
})

test('ethers does not come back: its provider hears nothing after a close', async (t) => {
  await using server = await startLocal()
  const provider = new WebSocketProvider(server.urls.ethWs, 31337, { staticNetwork: true })
  const heads: number[] = []
  await provider.on('block', (height: number) => {
    heads.push(height)
  })
  await eventually(() => server.simulation().node.subscriptions.eth.size === 1)
  const first = server.mine(1)
  await eventually(() => heads.includes(first))
  const ended = new Promise<number>((done) => {
    Object.assign(provider.websocket, { onclose: ({ code }: { code: number }) => done(code) })
  })
  const end = await server.fault('cut', { effect: { ws: { close: { code: 1013, reason: 'try again later' } } } })
  t.is(await ended, 1013)
  end()
  server.mine(2)
  t.deepEqual(
    heads.filter((height) => height > first),
    [],
  )
  await provider.destroy()
})

test('ethers hears heads in the order in which they come', async (t) => {
  await using server = await startLocal()
  const provider = new WebSocketProvider(server.urls.ethWs, 31337, { staticNetwork: true })
  const heads: number[] = []
  await provider.on('block', (height: number) => {
    heads.push(height)
  })
  await eventually(() => server.simulation().node.subscriptions.eth.size === 1)
  await server.fault('order', { effect: { ws: { reorder: { window: 2 } } } })
  const first = server.mine(1)
  server.mine(1)
  await eventually(() => heads.length >= 2)
  t.deepEqual(heads, [first + 1, first])
  await provider.destroy()
})

test('the stream of cosmjs ends with an error when its subscription is cancelled', async (t) => {
  await using server = await startLocal()
  const client = await Comet38Client.create(new CosmjsSocket(server.urls.comet))
  const heights: number[] = []
  let end = ''
  client.subscribeNewBlockHeader().addListener({
    next: ({ height }) => {
      heights.push(height)
    },
    error: (error: unknown) => {
      end = String(error)
    },
    complete: () => {
      end = 'complete'
    },
  })
  await eventually(() => server.simulation().node.subscriptions.comet.size === 1)
  const first = server.mine(1)
  await eventually(() => heights.includes(first))
  await server.fault('over', {
    match: { subscription: "tm.event='NewBlockHeader'" },
    effect: { ws: { cancelSubscription: true } },
  })
  server.mine(1)
  await eventually(() => end !== '')
  t.regex(end, /subscription was canceled/)
  client.disconnect()
})

test('cosmjs hears nothing while events are dropped, and the next one afterwards', async (t) => {
  await using server = await startLocal()
  const client = await Comet38Client.create(new CosmjsSocket(server.urls.comet))
  const heights: number[] = []
  client.subscribeNewBlockHeader().addListener({
    next: ({ height }) => {
      heights.push(height)
    },
    error: () => {},
  })
  await eventually(() => server.simulation().node.subscriptions.comet.size === 1)
  const end = await server.fault('lost', { match: { iface: 'comet' }, effect: { ws: { drop: true } } })
  const lost = server.mine(2)
  end()
  server.mine(1)
  await eventually(() => heights.length > 0)
  t.deepEqual(heights, [lost + 1])
  client.disconnect()
})
