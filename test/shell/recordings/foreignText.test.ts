/** Malformed text of clients and nodes fails one request or one connection, and the process goes on. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2 } from 'node:http2'
import test from 'ava'
import { status } from '@grpc/grpc-js'
import { WebSocket, WebSocketServer } from 'ws'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { CannotWrite } from '../../../src/shell/durable/cannotWrite.ts'
import { listen } from '../../../src/shell/transport/listen.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import type { Upstreams } from '../../../src/shell/recordings/upstream.ts'
import { scratch } from '../../helpers/cli.ts'
import { GrpcClient } from '../../helpers/grpc.ts'
import { startPlayback } from '../../helpers/playback.ts'
import { eventually } from '../../helpers/server.ts'

const malformed = '{"id": 1, foo}'
const parseError = '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error"}}'
const nothing = importTap('{"format":"tap/1"}\n', () => [])
const elsewhere = new URL('http://node.example')
const subscribe = '{"jsonrpc":"2.0","id":7,"method":"eth_subscribe","params":["newHeads"]}'

type Told = (frame: string, socket: WebSocket) => void

/** A node that answers every HTTP request with a parse error and gives each frame to `told`. */
async function startNode(told: Told = () => {}) {
  const server = createServer((_, response) => response.end(parseError))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => told(data.toString('utf8'), socket))
  })
  const url = new URL(await listen(server, '127.0.0.1:0'))
  const stop = async () => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url, sockets, [Symbol.asyncDispose]: stop }
}

async function opened(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url)
  await once(socket, 'open')
  return socket
}

async function nextFrame(socket: WebSocket): Promise<string> {
  const [data] = (await once(socket, 'message', { signal: AbortSignal.timeout(30_000) })) as [Buffer]
  return data.toString('utf8')
}

const record = (upstreams: Partial<Upstreams>, note: (line: TapLine) => void = () => {}) =>
  startProxy({
    // With a node elsewhere, the proxy looks for transactions.
    upstreams: { comet: elsewhere, eth: undefined, ethWs: undefined, ...upstreams },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note,
    log: () => {},
  })

test('a malformed request reaches the node, which refuses it itself', async (t) => {
  await using node = await startNode((_, socket) => socket.send(parseError))
  const sink = openSink(`${scratch()}/log.jsonl`, [])
  const proxy = await record({ eth: node.url, ethWs: node.url }, sink.note)
  const response = await fetch(proxy.urls.eth, { method: 'POST', body: malformed })
  t.is(await response.text(), parseError)
  const socket = await opened(proxy.urls.ethWs)
  socket.send(malformed)
  t.is(await nextFrame(socket), parseError)
  await proxy.close()
  t.is(sink.end().answers.size, 0)
})

test('a gRPC error with a raw percent sign is recorded as it is', async (t) => {
  const node = createHttp2()
  const text = 'used 100% of gas'
  node.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '8', 'grpc-message': text }))
    stream.resume()
    stream.end()
  })
  const lines: TapLine[] = []
  const proxy = await record({ grpc: new URL(await listen(node, '127.0.0.1:0')) }, (line) => lines.push(line))
  const client = new GrpcClient(proxy.urls.grpc)
  const { code } = await client.call('/cosmos.bank.v1beta1.Query/Balance', new Uint8Array(0))
  t.is(code, status.RESOURCE_EXHAUSTED)
  await eventually(() => lines.length === 1)
  t.like(lines[0], { status: 8, res: text })
  client[Symbol.dispose]()
  await proxy.close()
  node.close()
})

test('a malformed frame of a node ends that connection alone', async (t) => {
  await using node = await startNode((_, socket) => socket.send(malformed))
  await using playing = await startPlayback(nothing, {}, {}, { mode: 'spy', upstreams: upstreams(node.url) })
  const socket = await opened(playing.running.urls.ethWs)
  socket.send(subscribe)
  t.regex(await nextFrame(socket), /"id":7,.*the node did not respond/)
  socket.terminate()
})

test('a subscription after the WebSocket of the node has closed opens another one', async (t) => {
  await using node = await startNode((frame, socket) => {
    const { id } = JSON.parse(frame) as { id: number }
    socket.send(`{"jsonrpc":"2.0","id":${id},"result":"0x${id}"}`)
  })
  await using playing = await startPlayback(nothing, {}, {}, { mode: 'spy', upstreams: upstreams(node.url) })
  const socket = await opened(playing.running.urls.ethWs)
  socket.send(subscribe)
  t.regex(await nextFrame(socket), /"result":"0x1"/)
  for (const one of node.sockets.clients) one.close()
  await eventually(() => node.sockets.clients.size === 0)
  socket.send(subscribe)
  t.regex(await nextFrame(socket), /"result":"0x2"/)
  t.is(node.sockets.clients.size, 1)
  socket.terminate()
})

test('an answer that cannot be written fails its request with -32603', async (t) => {
  await using node = await startNode()
  const note = () => {
    throw new CannotWrite('learned.jsonl', Object.assign(new Error('full'), { code: 'ENOSPC' }))
  }
  const eth = node.url
  await using playing = await startPlayback(
    nothing,
    {},
    {},
    { mode: 'missing', upstreams: { ...upstreams(eth), eth }, note },
  )
  const body = '{"jsonrpc":"2.0","id":3,"method":"eth_gasPrice","params":[]}'
  const headers = { 'content-type': 'application/json' }
  for (let count = 0; count < 2; count++) {
    const response = await fetch(playing.running.urls.eth, { method: 'POST', headers, body })
    t.regex(await response.text(), /"id":3,.*-32603.*the disk is full/)
  }
})

test('a client that leaves before the node has opened its WebSocket leaves none open', async (t) => {
  let upgrades = 0
  const server = createServer()
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    upgrades += 1
    setTimeout(() => sockets.handleUpgrade(request, socket, head, (one) => sockets.emit('connection', one)), 200)
  })
  const proxy = await record({ ethWs: new URL(await listen(server, '127.0.0.1:0')) })
  for (let count = 0; count < 5; count++) {
    const socket = new WebSocket(proxy.urls.ethWs)
    socket.on('error', () => {})
    await eventually(() => upgrades > count)
    socket.terminate()
  }
  await new Promise((done) => {
    setTimeout(done, 400)
  })
  const open = () =>
    new Promise<number>((done) => {
      server.getConnections((_, count) => done(count))
    })
  // Beside other tests, the last of them may end later.
  await eventually(async () => (await open()) === 0)
  t.is(await open(), 0)
  await proxy.close()
  server.close()
})

function upstreams(url: URL): Upstreams {
  return { comet: undefined, eth: undefined, ethWs: url }
}
