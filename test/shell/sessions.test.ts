import test from 'ava'
import { blocksPerSlice } from '../../src/node/mining.ts'
import { createPublicClient, http, webSocket, type Hex } from 'viem'
import { WebSocket } from 'ws'
import { start, type Server } from '../../src/index.ts'
import type { Instance } from '../../src/shell/ports.ts'
import { createSessions } from '../../src/shell/sessions.ts'
import { createUsage } from '../../src/shell/usage.ts'
import { erc20Flow } from '../helpers/erc20Flow.ts'
import { ask } from '../helpers/raw.ts'
import { allGone, eventually, freePorts, startLocal } from '../helpers/server.ts'

test('sessions run the same flow side by side and see nothing of each other', async (t) => {
  await using server = await startLocal()
  const amounts = Array.from({ length: 20 }, (_, index) => BigInt(index + 1))
  const seen = await Promise.all(amounts.map((amount) => erc20Flow(`${server.urls.eth}/s/flow-${amount}`, amount)))
  t.deepEqual(
    seen,
    amounts.map((balance) => ({ logs: 1, height: 3n, balance })),
  )
  t.is(server.simulation().node.chain.height, 1n)
  t.is(server.simulation().journal.calls.length, 0)
})

test('CometBFT RPC of a session shows the session', async (t) => {
  await using server = await startLocal()
  const { eth, comet } = server.urls
  const mined = createPublicClient({ transport: http(`${eth}/s/a/`) })
  await mined.request({ method: 'anvil_mine' as 'eth_chainId', params: ['0x5'] as never })
  const heightOf = async (url: string) => {
    const { result } = (await (await fetch(`${url}/status`)).json()) as {
      result: { sync_info: { latest_block_height: string } }
    }
    return result.sync_info.latest_block_height
  }
  t.is(await heightOf(`${comet}/s/a`), '6')
  await createPublicClient({ transport: http(`${eth}/s/b`) }).getChainId()
  t.is(await heightOf(`${comet}/s/b`), '1')
  t.is(await heightOf(comet), '1')
})

test('a session mines more blocks than one slice has', async (t) => {
  await using server = await startLocal()
  // Asked again, it would mine again.
  const transport = http(`${server.urls.eth}/s/slices`, { retryCount: 0, timeout: 60_000 })
  const client = createPublicClient({ transport, cacheTime: 0 })
  await client.request({
    method: 'anvil_mine' as 'eth_chainId',
    params: [`0x${(blocksPerSlice * 20).toString(16)}`] as never,
  })
  t.is(await client.getBlockNumber(), 1n + BigInt(blocksPerSlice * 20))
  t.is(server.simulation().node.chain.height, 1n)
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
  const mine = (url: string) =>
    createPublicClient({ transport: http(url) }).request({
      method: 'anvil_mine' as 'eth_chainId',
      params: ['0x2'] as never,
    })
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

const evil = 'http://evil.example'
const asks = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' })

let shared: Server
test.before(async () => {
  shared = await startLocal()
})
test.after.always(() => shared.close())

let count = 0
function freshName(): string {
  count += 1
  return `new-${count}`
}

const creates = test.macro(async (t, verb: string, headers: Record<string, string>, status: number) => {
  const { eth, comet } = shared.urls
  const name = freshName()
  const url = verb === 'GET' ? `${comet}/s/${name}/health` : `${eth}/s/${name}`
  const body = verb === 'POST' ? { body: asks } : {}
  const answer = await ask(url, { verb, headers: { 'content-type': 'application/json', ...headers }, ...body })
  t.is(answer.status, status, answer.body)
  const isThere = (await ask(`${comet}/s/${name}/health`)).status === 200
  t.is(isThere, verb === 'POST' && status === 200)
})
test('a POST of a program creates a session', creates, 'POST', {}, 200)
test(
  'a POST of a local page creates a session',
  creates,
  'POST',
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'cross-site' },
  200,
)
test('a POST of another site creates none', creates, 'POST', { origin: evil }, 404)
test('a POST of a page without an origin creates none', creates, 'POST', { origin: 'null' }, 404)
test('a POST without Origin from another site creates none', creates, 'POST', { 'sec-fetch-site': 'cross-site' }, 404)
test('a GET creates none, so that an image cannot', creates, 'GET', {}, 404)
test(
  'the preflight of a POST is answered and creates none',
  creates,
  'OPTIONS',
  {
    origin: 'http://localhost:3000',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  },
  204,
)

const opens = test.macro(async (t, origin: string | undefined, isOpened: boolean) => {
  const name = freshName()
  const socket = new WebSocket(`${shared.urls.ethWs}/s/${name}`, { ...(origin && { origin }) })
  socket.on('error', () => {})
  t.is(
    await new Promise((done) => {
      socket.on('open', () => done(true))
      socket.on('close', () => done(false))
      socket.on('unexpected-response', () => done(false))
    }),
    isOpened,
  )
  socket.terminate()
  t.is((await ask(`${shared.urls.comet}/s/${name}/health`)).status, isOpened ? 200 : 404)
})
test('a WebSocket of a program creates a session', opens, undefined, true)
test('a WebSocket of a local page creates a session', opens, 'http://127.0.0.1:3000', true)
test('a WebSocket of another site creates none', opens, evil, false)

test('more sessions than allowed are refused, with what to do', async (t) => {
  await using server = await startLocal({ maxSessions: 2 })
  const use = (name: string) =>
    ask(`${server.urls.eth}/s/${name}`, {
      verb: 'POST',
      headers: { 'content-type': 'application/json' },
      body: asks,
    })
  t.deepEqual([(await use('a')).status, (await use('b')).status], [200, 200])
  const { status, body } = await use('c')
  t.is(status, 404)
  t.is(body, 'all 2 sessions are in use. Release sessions that are no longer needed, or raise --max-sessions.\n')
  const upgrade = { 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==' }
  for (const url of [`${server.urls.ethWs}/s/c`, `${server.urls.comet}/s/c/websocket`]) {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket', ...upgrade }
    const refused = await ask(url.replace('ws:', 'http:'), { headers })
    t.deepEqual([refused.status, refused.body], [404, body])
  }
})

test('a session that nobody uses expires, one with an open WebSocket stays', async (t) => {
  const logged: string[] = []
  await using server = await start({
    settings: { ...freePorts, sessionExpiry: '2s' },
    log: (_level: string, text: string) => {
      logged.push(text)
    },
  })
  // The first socket of a server waits for a module to load: it must not be the one that is kept.
  const opened = async (url: string) => {
    const socket = new WebSocket(url)
    await new Promise((done) => {
      socket.on('open', done)
    })
    return socket
  }
  const first = await opened(server.urls.ethWs)
  const socket = await opened(`${server.urls.ethWs}/s/kept`)
  first.terminate()
  await ask(`${server.urls.eth}/s/gone`, {
    verb: 'POST',
    headers: { 'content-type': 'application/json' },
    body: asks,
  })
  const isThere = async (name: string) => (await ask(`${server.urls.comet}/s/${name}/health`)).status === 200
  await eventually(() => logged.length > 0)
  t.deepEqual(logged, ['session gone expired: it was unused for 2 s'])
  t.false(await isThere('gone'))
  t.true(await isThere('kept'))
  socket.terminate()
  await allGone(server)
})

test('a handle that is closed again leaves a later session of the same name alone', async (t) => {
  await using server = await startLocal()
  const first = server.session('again')
  await first.close()
  const second = server.session('again')
  await first[Symbol.asyncDispose]()
  t.is(second.mine(1), 2)
  await second.close()
  t.throws(() => second.mine(1), { message: 'the chain was stopped' })
})

test('generated names of two members of a fleet differ', (t) => {
  const leasedBy = (member?: string) => {
    const all = createSessions({
      ...{ main: {} as Instance, most: 9, expiryMs: 0, log: () => {} },
      ...{ fork: (name: string) => ({ session: name }) as Instance, ...(member !== undefined && { member }) },
    })
    return [all.lease().session, all.lease().session]
  }
  t.deepEqual(leasedBy(), ['lease-1', 'lease-2'])
  t.deepEqual(leasedBy('0123456789abcdef'), ['lease-01234567-1', 'lease-01234567-2'])
  t.deepEqual(leasedBy('fedcba9876543210'), ['lease-fedcba98-1', 'lease-fedcba98-2'])
})

test('a server that was closed begins no session', async (t) => {
  const server = await startLocal()
  server.session('before')
  await server.close()
  const refusal = { code: 'BAD_SESSION', message: 'expected a running server, but it was stopped' }
  for (const name of ['before', 'after', undefined])
    t.like(
      t.throws(() => server.session(name)),
      refusal,
    )
})

test('idle time counts from the last use, is 0 with a connection, and ticks are no use', (t) => {
  let now = 0
  const usage = createUsage(() => now)
  now = 5
  usage.saw({ kind: 'tick' })
  t.is(usage.idleMs(), 5)
  usage.saw({ kind: 'connected', connection: 1, side: 'eth', remote: '' })
  now = 90
  t.is(usage.idleMs(), 0)
  usage.saw({ kind: 'disconnected', connection: 1 })
  now = 100
  t.is(usage.idleMs(), 10)
})

test.serial('a session that rests mines nothing, and catches up when it is used', async (t) => {
  await using server = await startLocal({
    blocks: 'interval',
    interval: '50ms',
    sessionRest: '200ms',
  })
  const use = async (method: string) => {
    const { body } = await ask(`${server.urls.eth}/s/resting`, {
      verb: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method }),
    })
    return Number((JSON.parse(body) as { result: Hex }).result)
  }
  await use('eth_blockNumber')
  const heightOfMain = () => server.simulation().node.chain.height
  const session = server.session('resting')
  const heightOfSession = () => session.simulation().node.chain.height
  let rested = -1n
  await eventually(async () => {
    rested = heightOfSession()
    const target = heightOfMain() + 10n
    await eventually(() => heightOfMain() >= target)
    return heightOfSession() === rested
  })
  t.true(BigInt(await use('eth_blockNumber')) > rested + 3n)
})
