import { once } from 'node:events'
import net from 'node:net'
import test from 'ava'
import { WebSocket } from 'ws'
import { ask, h2cOffer, post, talk } from '../helpers/raw.ts'
import { eventually, startLocal } from '../helpers/server.ts'

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }

async function open(
  url: string,
  headers: Record<string, string> = {},
): Promise<{
  socket: WebSocket
  heard: unknown[]
}> {
  const socket = new WebSocket(url, { headers })
  const heard: unknown[] = []
  socket.on('message', (data) => {
    heard.push(JSON.parse(String(data)))
  })
  await once(socket, 'open')
  return { socket, heard }
}

async function answer(url: string, message: unknown, headers?: Record<string, string>): Promise<unknown> {
  const { socket, heard } = await open(url, headers)
  socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  await eventually(() => heard.length > 0)
  socket.terminate()
  return heard[0]
}

async function closing(socket: WebSocket): Promise<readonly [number, string]> {
  const [code, reason] = (await once(socket, 'close')) as [number, Buffer]
  return [code, String(reason)]
}

test('CometBFT RPC answers on /websocket, Ethereum JSON-RPC on its own port and on its HTTP port', async (t) => {
  await using server = await startLocal()
  t.deepEqual(await answer(server.urls.cometWs, { jsonrpc: '2.0', id: 7, method: 'health' }), {
    jsonrpc: '2.0',
    id: 7,
    result: {},
  })
  t.deepEqual(await answer(server.urls.ethWs, chainId), { jsonrpc: '2.0', id: 1, result: '0x7a69' })
  t.deepEqual(await answer(server.urls.eth.replace('http', 'ws'), chainId), { jsonrpc: '2.0', id: 1, result: '0x7a69' })
})

test('one block is told to every subscriber of both sides', async (t) => {
  await using server = await startLocal()
  const comet = await Promise.all([1, 2, 3].map(() => open(server.urls.cometWs)))
  const eth = await Promise.all([1, 2, 3].map(() => open(server.urls.ethWs)))
  for (const { socket } of comet)
    socket.send(
      JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'subscribe', params: { query: "tm.event='NewBlockHeader'" } }),
    )
  for (const { socket } of eth)
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'eth_subscribe', params: ['newHeads'] }))
  await eventually(() => [...comet, ...eth].every(({ heard }) => heard.length === 1))
  await post(server.urls.eth, { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
  await eventually(() => [...comet, ...eth].every(({ heard }) => heard.length === 2))
  t.is(new Set(comet.map(({ heard }) => JSON.stringify(heard[1]))).size, 1)
  const heads = eth.map(({ heard }) => (heard[1] as { params: { result: { hash: string } } }).params.result.hash)
  t.is(new Set(heads).size, 1)
  for (const { socket } of [...comet, ...eth]) socket.terminate()
})

test('messages of every length are framed so that a client reads them', async (t) => {
  await using server = await startLocal()
  const { socket, heard } = await open(server.urls.cometWs)
  for (const size of [1, 60, 110, 200, 40_000, 70_000]) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'é'.repeat(size), method: 'health' }))
  }
  await eventually(() => heard.length === 6)
  t.deepEqual(
    heard.map((one) => (one as { id: string }).id.length),
    [1, 60, 110, 200, 40_000, 70_000],
  )
  socket.terminate()
})

const refused = test.macro(
  async (t, side: 'cometWs' | 'ethWs', headers: Record<string, string>, status: number, settings: object = {}) => {
    await using server = await startLocal({ ethWsOrigins: ['localhost'], ...settings })
    const socket = new WebSocket(server.urls[side], { headers })
    socket.on('error', () => {})
    const got = await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, response]) => (response as { statusCode: number }).statusCode),
    ])
    socket.terminate()
    t.is(got, status)
  },
)

const evilPage = { origin: 'http://evil.example' }
test('CometBFT RPC refuses pages of other sites', refused, 'cometWs', evilPage, 403)
test('CometBFT RPC lets local pages in', refused, 'cometWs', { origin: 'http://localhost:3000' }, 101)
test('CometBFT RPC lets pages in that --allowed-origins names', refused, 'cometWs', evilPage, 101, {
  allowedOrigins: [evilPage.origin],
})
test('CometBFT RPC with the habits of the node lets every page in', refused, 'cometWs', evilPage, 101, {
  quirks: ['websocket-any-origin'],
})
test('Ethereum JSON-RPC lets pages in that --allowed-origins names', refused, 'ethWs', evilPage, 101, {
  allowedOrigins: [evilPage.origin],
})
test('B takes no origin', refused, 'ethWs', {}, 101)
test('B takes a listed host at any port', refused, 'ethWs', { origin: 'https://localhost:3000' }, 101)
test('B refuses another origin', refused, 'ethWs', { origin: 'http://evil.example' }, 403)
test('B refuses the origin null', refused, 'ethWs', { origin: 'null' }, 403)

const local = 'http://localhost:3000'
const shipped = ['127.0.0.1', 'localhost']
test('B takes the hosts that it ships with', refused, 'ethWs', { origin: local }, 101, { ethWsOrigins: shipped })
test('B with the habits of the node refuses even these', refused, 'ethWs', { origin: local }, 403, {
  ethWsOrigins: shipped,
  quirks: ['websocket-origins-one-text'],
})

const upgradeHead = (
  verb: string,
  path: string,
  rest = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
) => `${verb} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${rest}\r\n`

const handshake = test.macro(async (t, side: 'comet' | 'eth' | 'ethWs', head: string, expected: RegExp) => {
  await using server = await startLocal()
  const { text, closed } = await talk(server.urls[side].replace('ws', 'http'), head)
  t.regex(text, expected)
  t.false(closed, 'the connection stays open')
})

test(
  'a handshake offers no protocol back',
  handshake,
  'comet',
  upgradeHead('GET', '/websocket').replace('\r\n\r\n', '\r\nSec-WebSocket-Protocol: x\r\n\r\n'),
  /^HTTP\/1\.1 101 Switching Protocols\r\n(?![^]*protocol:)/i,
)
test(
  'another version is a bad request',
  handshake,
  'comet',
  upgradeHead('GET', '/websocket', 'Sec-WebSocket-Version: 12\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'),
  /^HTTP\/1\.1 400 Bad Request\r\n[^]*Sec-Websocket-Version: 13\r\nX-Server-Time: \d+\r\n[^]*Bad Request\n$/,
)
test(
  'a handshake without a key is a bad request',
  handshake,
  'comet',
  upgradeHead('GET', '/websocket', 'Sec-WebSocket-Version: 13\r\n'),
  /^HTTP\/1\.1 400 /,
)
test(
  'a handshake by post is not allowed',
  handshake,
  'comet',
  upgradeHead('POST', '/websocket'),
  /^HTTP\/1\.1 405 Method Not Allowed\r\n[^]*Method Not Allowed\n$/,
)
test(
  'an upgrade of a method is a plain call',
  handshake,
  'comet',
  upgradeHead('GET', '/health'),
  /^HTTP\/1\.1 200 OK\r\n[^]*"result":\{\}\}$/,
)
test(
  'requests after a refused upgrade are served on the same connection',
  handshake,
  'comet',
  `${upgradeHead('GET', '/health')}GET /nope HTTP/1.1\r\nHost: localhost\r\n\r\n`,
  /^HTTP\/1\.1 200 OK\r\n[^]*"result":\{\}\}HTTP\/1\.1 404 Not Found/,
)
test(
  'the WebSocket port of Ethereum JSON-RPC knows one path',
  handshake,
  'ethWs',
  upgradeHead('GET', '/x'),
  /^HTTP\/1\.1 404 /,
)
test(
  'the WebSocket port of Ethereum JSON-RPC wants an upgrade',
  handshake,
  'ethWs',
  'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n',
  /^HTTP\/1\.1 400 /,
)

test('a message over the limit closes with 1009', async (t) => {
  await using server = await startLocal()
  const head = '{"jsonrpc":"2.0","id":1,"method":"health","params":{}}'
  t.deepEqual(await answer(server.urls.cometWs, head + ' '.repeat(1_000_000 - head.length)), {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  })
  const comet = (await open(server.urls.cometWs)).socket
  comet.send(head + ' '.repeat(1_000_001 - head.length))
  t.deepEqual(await closing(comet), [1009, ''])
  const eth = (await open(server.urls.ethWs)).socket
  eth.send(' '.repeat(1024 * 1024 + 1))
  t.is((await closing(eth))[0], 1009)
})

test('a close is answered with its code and without its reason', async (t) => {
  await using server = await startLocal()
  const { socket } = await open(server.urls.cometWs)
  socket.close(1000, 'bye')
  t.deepEqual(await closing(socket), [1000, ''])
})

test('pings are answered, and binary messages are read', async (t) => {
  await using server = await startLocal()
  const { socket, heard } = await open(server.urls.cometWs)
  socket.ping('hello')
  t.is(String(((await once(socket, 'pong')) as [Buffer])[0]), 'hello')
  socket.send(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"health"}'))
  await eventually(() => heard.length === 1)
  t.deepEqual(heard, [{ jsonrpc: '2.0', id: 1, result: {} }])
  socket.terminate()
})

test('a closed connection loses its subscriptions', async (t) => {
  await using server = await startLocal()
  const { socket, heard } = await open(server.urls.cometWs)
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 5, method: 'subscribe', params: { query: "tm.event='NewBlock'" } }))
  await eventually(() => heard.length === 1)
  t.is(server.simulation().node.subscriptions.comet.size, 1)
  socket.terminate()
  await eventually(() => server.simulation().node.connections.size === 0)
  t.is(server.simulation().node.subscriptions.comet.size, 0)
})

test('subscribers hear that the node is gone, and TCP closes without a word', async (t) => {
  const server = await startLocal()
  const { socket, heard } = await open(server.urls.cometWs)
  socket.send(
    JSON.stringify({ jsonrpc: '2.0', id: 'mine', method: 'subscribe', params: { query: "tm.event='NewBlock'" } }),
  )
  await eventually(() => heard.length === 1)
  const closed = closing(socket)
  await server.close()
  t.deepEqual(await closed, [1006, ''])
  t.deepEqual(heard[1], {
    jsonrpc: '2.0',
    id: 'mine',
    error: {
      code: -32000,
      message: 'Server error',
      data: 'subscription was canceled (reason: CometBFT exited)',
    },
  })
})

test('a subscriber who reads too late is told so, and the connection stays', async (t) => {
  await using server = await startLocal({
    application: 'kvstore',
    blocks: 'manual',
    subscriptionBuffer: 100,
    websocketWriteBuffer: 5,
  })
  const { socket, heard } = await open(server.urls.cometWs)
  const say = (id: number, method: string, params: object) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  }
  const mine = async (count: number) => {
    await post(server.urls.comet, {
      jsonrpc: '2.0',
      id: 1,
      method: 'advance_blocks',
      params: { num_blocks: String(count) },
    })
  }
  // What comes with a colon stays in the mempool: every block has it.
  const tx = Buffer.from(`k:${'x'.repeat(20_000)}`).toString('base64')
  await post(server.urls.comet, { jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params: { tx } })
  say(7, 'subscribe', { query: "tm.event='NewBlock'" })
  await eventually(() => heard.length === 1)
  socket.pause()
  const made = 360
  // A client that reads nothing for ten seconds is cut off, and 360 blocks may take longer on a busy machine.
  for (let mined = 0; mined < made; mined += 60) {
    await mine(60)
    socket.once('message', () => socket.pause())
    socket.resume()
    await eventually(() => socket.isPaused)
  }
  socket.resume()
  await eventually(() => JSON.stringify(heard.at(-1)).includes('error'))
  t.true(heard.length < made)
  t.deepEqual(heard.at(-1), {
    jsonrpc: '2.0',
    id: 7,
    error: {
      code: -32000,
      message: 'Server error',
      data: 'subscription was canceled (reason: internal subscription event buffer is out of capacity)',
    },
  })
  say(8, 'subscribe', { query: "tm.event='NewBlock'" })
  await eventually(() => heard.some((one) => (one as { id: number }).id === 8))
  t.like(heard.at(-1), { id: 8, error: { data: 'already subscribed' } })
  say(9, 'unsubscribe', { query: "tm.event='NewBlock'" })
  say(10, 'subscribe', { query: "tm.event='NewBlock'" })
  await eventually(() => heard.some((one) => (one as { id: number }).id === 10))
  await mine(1)
  await eventually(() => JSON.stringify(heard.at(-1)).includes('tendermint/event/NewBlock'))
  t.like(heard.at(-1), { id: 10 })
  socket.terminate()
})

test('who never reads is cut off, and the others are not held up', async (t) => {
  await using server = await startLocal()
  const { hostname, port } = new URL(server.urls.comet)
  const deaf = net.connect(Number(port), hostname)
  deaf.on('error', () => {})
  deaf.write(upgradeHead('GET', '/websocket'))
  await once(deaf, 'data')
  deaf.pause()
  // Masked with zeros: a request whose answer is as long as itself.
  const payload = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 'x'.repeat(900_000), method: 'health' }))
  const head = Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  for (let sent = 0; sent < 120; sent++) deaf.write(Buffer.concat([head, payload]))
  await eventually(() => server.simulation().node.connections.size === 0)
  t.is((await ask(`${server.urls.comet}/health`)).status, 200)
  deaf.destroy()
})

test('8,000 subscriptions of one socket are compared by what changed', async (t) => {
  await using server = await startLocal()
  const socket = new WebSocket(server.urls.ethWs)
  await once(socket, 'open')
  const most = 8000
  let answered = 0
  const all = new Promise<void>((done) => {
    socket.on('message', () => {
      if (++answered === most) done()
    })
  })
  for (let id = 0; id < most; id++) {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'eth_subscribe', params: ['newHeads'] }))
  }
  await all
  const [list = []] = server.simulation().node.subscriptions.eth.values()
  t.is(list.length, most)
  socket.terminate()
})

test('each frame of Ethereum JSON-RPC ends with a newline, which Go writes, and none of CometBFT RPC does', async (t) => {
  await using server = await startLocal()
  const ends = async (url: string, texts: readonly string[]) => {
    const socket = new WebSocket(url)
    await once(socket, 'open')
    const heard: string[] = []
    socket.on('message', (data: Buffer) => heard.push(String(data)))
    for (const [at, text] of texts.entries()) {
      socket.send(text)
      await eventually(() => heard.length === at + 1)
    }
    await post(server.urls.eth, { jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] })
    await eventually(() => heard.length === texts.length + 1)
    socket.terminate()
    return heard.map((text) => /[^\n]\n$/.test(text))
  }
  const eth = (method: string, params: readonly string[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const calls = [eth('eth_chainId', []), eth('eth_none', []), '[]', eth('eth_subscribe', ['newHeads'])]
  t.deepEqual(await ends(server.urls.ethWs, calls), [true, true, true, true, true])
  const query = { query: "tm.event='NewBlockHeader'" }
  const subscribe = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscribe', params: query })
  t.deepEqual(await ends(server.urls.cometWs, [subscribe]), [false, false])
})

test('a socket holds as many subscriptions as it may, and is told so', async (t) => {
  await using server = await startLocal({ ethMaxSubscriptions: 1 })
  const socket = new WebSocket(server.urls.ethWs)
  await once(socket, 'open')
  const ask = async () => {
    socket.send('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
    const [data] = (await once(socket, 'message')) as [Buffer]
    return JSON.parse(String(data)) as { result?: string; error?: { message: string } }
  }
  t.truthy((await ask()).result)
  t.regex((await ask()).error?.message ?? '', /has 1 of at most 1 subscriptions.*--max-eth-subscr/)
  socket.terminate()
})

const emptyFrame = test.macro(async (t, side: 'cometWs' | 'ethWs', text: string) => {
  await using server = await startLocal()
  const socket = new WebSocket(server.urls[side])
  await once(socket, 'open')
  socket.send(text)
  const [data] = (await once(socket, 'message')) as [Buffer]
  t.is((JSON.parse(String(data)) as { error: { code: number } }).error.code, -32700)
  socket.terminate()
})
test('an empty frame to Ethereum JSON-RPC is answered', emptyFrame, 'ethWs', '')
test('a frame of blanks to Ethereum JSON-RPC is answered', emptyFrame, 'ethWs', ' \n')
test('an empty frame to CometBFT RPC is answered', emptyFrame, 'cometWs', '')

const h2c = test.macro(async (t, side: 'comet' | 'eth', method: string) => {
  await using server = await startLocal()
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
  const type = 'Content-Type: application/json'
  const lines = ['POST / HTTP/1.1', 'Host: localhost', ...h2cOffer, type, `Content-Length: ${body.length}`, '', '']
  const { text } = await talk(server.urls[side], lines.join('\r\n') + body)
  t.regex(text, /^HTTP\/1\.1 200 OK[^]*"result":/)
})
test('a POST that offers h2c to Ethereum JSON-RPC is answered', h2c, 'eth', 'eth_chainId')
test('a POST that offers h2c to CometBFT RPC is answered', h2c, 'comet', 'health')

test('the server outlives handshakes and tunnels whose body stays away', async (t) => {
  await using server = await startLocal()
  const tunnel = 'CONNECT / HTTP/1.1\r\nHost: localhost\r\n\r\n'
  for (const head of [upgradeHead('GET', '/websocket'), upgradeHead('POST', '/websocket'), tunnel]) {
    const { text, closed } = await talk(server.urls.comet, head.replace(/\r\n$/, 'Content-Length: 5\r\n\r\nab'))
    t.true(text.startsWith('HTTP/1.1 ') || closed)
    t.regex(await (await fetch(`${server.urls.comet}/health`)).text(), /"result":\{\}/)
  }
})

test('a request with two Host headers is refused', async (t) => {
  await using server = await startLocal()
  const { text } = await talk(
    server.urls.eth,
    'POST / HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nContent-Length: 2\r\n\r\n{}',
  )
  t.regex(text, /^HTTP\/1\.1 400 [^]*too many Host headers$/)
})

test('no more is read from a client that sends on behind a call that waits, until it is answered', async (t) => {
  await using server = await startLocal({ application: 'kvstore', blocks: 'manual', broadcastCommitTimeout: '60s' })
  const { socket, heard } = await open(server.urls.cometWs)
  const say = (id: number, method: string, params: object) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  say(0, 'broadcast_tx_commit', { tx: Buffer.from('a=1').toString('base64') })
  const count = 6000
  const sent = Array.from({ length: count }, (_, id) => id + 1)
  for (const id of sent) say(id, 'health', {})
  const owed = () => server.simulation().node.owed.length
  // Each request over HTTP takes a turn of the event loop, in which messages would be read.
  let before = 0
  await eventually(async () => {
    before = owed()
    for (let turn = 0; turn < 20; turn++) await post(server.urls.comet, { jsonrpc: '2.0', id: 1, method: 'health' })
    return before > 0 && owed() === before
  })
  // What came in the same piece as the last of 1,000 is read too.
  t.true(before < 4000, `${before} of ${count} messages were read`)
  await post(server.urls.comet, { jsonrpc: '2.0', id: 1, method: 'advance_blocks', params: { num_blocks: '1' } })
  await eventually(() => heard.length === count + 1)
  t.deepEqual(
    heard.map((one) => (one as { id: number }).id),
    [0, ...sent],
  )
  socket.terminate()
})
