/** The proxy passes on what clients send and what nodes answer. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { constants, createServer as createHttp2 } from 'node:http2'
import { join } from 'node:path'
import test from 'ava'
import { status } from '@grpc/grpc-js'
import { WebSocket, WebSocketServer } from 'ws'
import { importTap } from '../../../src/recording/playback/importTap.ts'
import type { TapLine } from '../../../src/recording/playback/tapLine.ts'
import { redactLine } from '../../../src/recording/redact/redactLine.ts'
import { listen } from '../../../src/shell/transport/listen.ts'
import { cometNames } from '../../../src/shell/playback.ts'
import { loadLibrary, originNow, saveLibrary } from '../../../src/shell/recordings/folderFiles.ts'
import { startProxy } from '../../../src/shell/recordings/proxy.ts'
import { openSink } from '../../../src/shell/recordings/sink.ts'
import { scratch } from '../../helpers/cli.ts'
import { GrpcClient } from '../../helpers/grpc.ts'
import { startPlayback } from '../../helpers/playback.ts'
import { h2cOffer, talk } from '../../helpers/raw.ts'
import { startLocal } from '../../helpers/server.ts'

/** A node that answers each HTTP request with `answer`, and the proxy in front of all its doors. */
async function behindProxy(answer: RequestListener) {
  const server = createServer(answer)
  const sockets = new WebSocketServer({ server })
  const url = new URL(await listen(server, '127.0.0.1:0'))
  const lines: TapLine[] = []
  const proxy = await startProxy({
    upstreams: { comet: url, eth: url, ethWs: url, rest: url },
    where: { comet: '127.0.0.1:0', eth: '127.0.0.1:0', ethWs: undefined },
    note: (line) => lines.push(line),
    log: () => {},
  })
  const stop = async () => {
    await proxy.close()
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { urls: proxy.urls, lines, sockets, [Symbol.asyncDispose]: stop }
}

test('a query with more than one question mark reaches the node whole, and is recorded whole', async (t) => {
  const paths: unknown[] = []
  await using node = await behindProxy((request, response) => {
    paths.push(request.url)
    response.end('{"jsonrpc":"2.0","id":-1,"result":{}}')
  })
  const path = '/abci_query?path="/a?b"&height=2'
  await (await fetch(node.urls.comet + encodeURI(path))).text()
  const opened = once(node.sockets, 'connection')
  const socket = new WebSocket(`${node.urls.ethWs}/?a=b?c`)
  await once(socket, 'open')
  const [, { url }] = (await opened) as [unknown, { url: string }]
  socket.terminate()
  t.deepEqual([...paths, url], [encodeURI(path), '/?a=b?c'])
  const log = [{ format: 'tap/1' }, ...node.lines.map((line) => redactLine(line, cometNames))]
  const { answers } = importTap(`${log.map((line) => JSON.stringify(line)).join('\n')}\n`, cometNames)
  t.deepEqual([...answers.keys()], ['comet abci_query {"height":"2","path":"/a?b"}'])
})

test("a POST that offers h2c, as Java's client does, reaches the node as a POST", async (t) => {
  const heads: unknown[] = []
  await using node = await behindProxy(({ method, headers: { upgrade, 'http2-settings': settings } }, response) => {
    heads.push([method, upgrade, settings])
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}')
  })
  const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
  const lines = ['POST / HTTP/1.1', 'Host: localhost', ...h2cOffer, `Content-Length: ${body.length}`, '', '']
  const { text } = await talk(node.urls.eth, lines.join('\r\n') + body)
  t.regex(text, /^HTTP\/1\.1 200 OK\r\n[^]*"result":"0x1"\}/)
  t.deepEqual(heads, [['POST', undefined, undefined]])
})

test('a connection that breaks behind the proxy breaks, and one that is closed is closed alike', async (t) => {
  await using node = await behindProxy((_, response) => response.end('{}'))
  const closedBy = async (end: (socket: WebSocket) => void) => {
    node.sockets.once('connection', end)
    const socket = new WebSocket(node.urls.ethWs)
    const [code, reason] = (await once(socket, 'close', { signal: AbortSignal.timeout(30_000) })) as [number, Buffer]
    return [code, reason.toString()]
  }
  t.deepEqual(await closedBy((socket) => setTimeout(() => socket.terminate(), 100)), [1006, ''])
  t.deepEqual(await closedBy((socket) => socket.close()), [1005, ''])
  t.deepEqual(await closedBy((socket) => socket.close(1011, 'full')), [1011, 'full'])
  t.deepEqual(await closedBy((socket) => socket.close(4001)), [4001, ''])
})

test('a gRPC call that the node does not answer ends, and may be tried again', async (t) => {
  const node = createHttp2((request, response) => {
    if (request.url.endsWith('/Half')) response.writeHead(200, { 'content-type': 'application/grpc' })
    setTimeout(() => request.stream.close(constants.NGHTTP2_CANCEL), 50)
  })
  node.on('sessionError', () => {})
  const url = new URL(await listen(node, '127.0.0.1:0'))
  const lines: TapLine[] = []
  const proxy = await startProxy({
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined, grpc: url },
    where: { comet: '', eth: '', ethWs: undefined },
    note: (line) => lines.push(line),
    log: () => {},
  })
  using client = new GrpcClient(proxy.urls.grpc)
  const code = async (path: string) => (await client.call(path, new Uint8Array(0))).code
  t.is(await code('/a.B/None'), status.UNAVAILABLE)
  t.is(await code('/a.B/Half'), status.INTERNAL)
  node.close()
  await proxy.close()
  t.deepEqual(lines, [])
})

test('a gRPC call to a node that is away is refused as unavailable', async (t) => {
  const proxy = await startProxy({
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined, grpc: new URL('http://127.0.0.1:1') },
    where: { comet: '', eth: '', ethWs: undefined },
    note: () => t.fail(),
    log: () => {},
  })
  using client = new GrpcClient(proxy.urls.grpc)
  const { code, details } = await client.call(totalSupply, new Uint8Array(0))
  t.deepEqual([code, details], [status.UNAVAILABLE, 'chainstage record: the recorded node did not respond'])
  await proxy.close()
})

/** The refusal of a height that has no block, over REST and gRPC. */
async function ofFuture({ rest, grpc }: { readonly rest: string; readonly grpc: string }): Promise<readonly unknown[]> {
  const headers = { 'x-cosmos-block-height': '9999' }
  const answer = await fetch(`${rest}/cosmos/bank/v1beta1/supply`, { headers })
  using client = new GrpcClient(grpc)
  const { code, details, metadata } = await client.call(totalSupply, new Uint8Array(0), { headers })
  const names = [...answer.headers.keys()].filter((name) => /^(?:grpc|trailer)/.test(name))
  return [answer.status, names, await answer.text(), code, details, metadata?.get('x-cosmos-block-height') ?? []]
}

const totalSupply = '/cosmos.bank.v1beta1.Query/TotalSupply'

test('a refusal before the handler reaches the client, and is played back without metadata', async (t) => {
  await using server = await startLocal()
  const { rest, grpc } = server.urls
  const out = join(scratch(), 'early')
  const sink = openSink(join(out, 'log.jsonl'), [])
  const upstreams = { rest: new URL(rest), grpc: new URL(`http://${grpc}`) }
  const proxy = await startProxy({
    upstreams: { comet: undefined, eth: undefined, ethWs: undefined, ...upstreams },
    where: { comet: '', eth: '', ethWs: undefined },
    note: sink.note,
    log: () => {},
  })
  const direct = await ofFuture(server.urls)
  const [code, names, ...others] = await ofFuture(proxy.urls)
  await proxy.close()
  t.deepEqual(names, [])
  t.deepEqual([code, ['trailer'], ...others], direct)
  await saveLibrary(out, sink.end(), originNow(0))
  await using playback = await startPlayback(await loadLibrary(out))
  t.deepEqual(await ofFuture(playback.running.urls), direct)
})
