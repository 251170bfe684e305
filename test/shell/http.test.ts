import { execFile } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { promisify } from 'node:util'
import test from 'ava'
import { WebSocket } from 'ws'
import { SimError } from '../../src/errors.ts'
import { ask, post, talk } from '../helpers/raw.ts'
import { startLocal } from '../helpers/server.ts'

const chainId = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }
const health = '{"jsonrpc":"2.0","id":1,"method":"health","params":{}}'
const json = { 'content-type': 'application/json' }

test('both interfaces answer a post, and A a get', async (t) => {
  await using server = await startLocal()
  t.deepEqual(await post(server.urls.eth, chainId), { jsonrpc: '2.0', id: 1, result: '0x7a69' })
  t.deepEqual(await post(server.urls.comet, JSON.parse(health)), { jsonrpc: '2.0', id: 1, result: {} })
  const got = await ask(`${server.urls.comet}/health`)
  t.deepEqual(JSON.parse(got.body), { jsonrpc: '2.0', id: -1, result: {} })
  t.regex(String(got.headers['x-server-time']), /^\d{10}$/)
})

test('no connection headers are sent while a connection stays open', async (t) => {
  await using server = await startLocal()
  const { text, closed } = await talk(server.urls.comet, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  t.false(closed)
  t.notRegex(text, /^(?:connection|keep-alive):/im)
  const second = await talk(server.urls.comet, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(2))
  t.is(second.text.split('HTTP/1.1 200 OK').length, 3)
  const last = await talk(server.urls.comet, 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  t.true(last.closed)
  t.regex(last.text, /^connection: close/im)
})

test('a body of exactly the limit passes on CometBFT RPC, one byte more is refused and the connection closed', async (t) => {
  await using server = await startLocal()
  const padded = (size: number) => health + ' '.repeat(size - health.length)
  t.is((await ask(server.urls.comet, { verb: 'POST', body: padded(1_000_000) })).status, 200)
  const refused = await ask(server.urls.comet, { verb: 'POST', body: padded(1_000_001) })
  t.is(refused.status, 400)
  t.deepEqual(JSON.parse(refused.body), {
    jsonrpc: '2.0',
    error: {
      code: -32600,
      message: 'Invalid Request',
      data: 'error reading request body: http: request body too large',
    },
  })
  t.is(refused.headers.connection, 'close')
  t.is(refused.headers['x-server-time'], undefined)
})

test('a body over 5 MiB is refused by Ethereum JSON-RPC from its headers alone', async (t) => {
  await using server = await startLocal()
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5242881\r\n\r\n'
  const { text, closed } = await talk(server.urls.eth, head, 2000)
  t.true(closed)
  t.regex(text, /^HTTP\/1\.1 413 /)
  t.regex(text, /^vary: origin/im)
  t.true(text.endsWith('content length too large (5242881>5242880)\n'))
})

/** A client in a process of its own, which sends while the server answers: prints its 40 statuses. */
const longSender = `
  const { request, Agent } = require('node:http')
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (body) =>
    new Promise((resolve) => {
      const options = { method: 'POST', agent, headers: { 'content-type': 'application/json' } }
      const sent = request(process.argv[1], options, (answer) => answer.resume().on('end', () => resolve(answer.statusCode)))
      sent.on('error', ({ code }) => resolve(code)).end(body)
    })
  const sendAll = async () => {
    for (let count = 0; count < 20; count++) {
      for (const size of [2, 6e6]) console.log(await send('{}'.padEnd(size)))
    }
  }
  sendAll().then(() => process.exit())
`

test('a client that sends a long body at once reads why it is refused, not a reset connection', async (t) => {
  await using server = await startLocal()
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', longSender, server.urls.eth])
  t.deepEqual(stdout.trim().split('\n'), Array(20).fill(['200', '413']).flat())
})

test('a chunked body over 5 MiB is cut, and what is left is no JSON', async (t) => {
  await using server = await startLocal()
  const body = `{"jsonrpc":"2.0","id":1,"method":"x","params":["${'a'.repeat(5 * 1024 * 1024)}"]}`
  const chunked = await ask(server.urls.eth, {
    verb: 'POST',
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body,
  })
  t.is(chunked.status, 200)
  t.is((JSON.parse(chunked.body) as { error: { code: number } }).error.code, -32700)
})

test('who waits for "100 Continue" is refused without it, and served with it', async (t) => {
  await using server = await startLocal()
  const head = (length: number) =>
    `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`
  const refused = await talk(server.urls.eth, head(6_000_000), 2000)
  t.regex(refused.text, /^HTTP\/1\.1 413 /)
  const served = await talk(server.urls.eth, head(20))
  t.regex(served.text, /^HTTP\/1\.1 100 Continue/)
})

const answersB = test.macro(
  async (t, request: Parameters<typeof ask>[1] & { path?: string }, status: number, body: RegExp) => {
    await using server = await startLocal()
    const answer = await ask(server.urls.eth + (request.path ?? '/'), request)
    t.is(answer.status, status)
    t.regex(answer.body, body)
    t.regex(String(answer.headers.vary), /^Origin/)
    t.is(answer.headers.allow, undefined)
  },
)

test(
  'B: another path is 404',
  answersB,
  { verb: 'POST', path: '/x', headers: json, body: '{}' },
  404,
  /^404 page not found\n$/,
)
test(
  'B: get says what is served here',
  answersB,
  { verb: 'GET' },
  200,
  /^chainstage serves Ethereum JSON-RPC here[^\n]*\n$/,
)
test('B: put is 405', answersB, { verb: 'PUT' }, 405, /^$/)
test(
  'B: a query string does not matter',
  answersB,
  { verb: 'POST', path: '/?a=b', headers: json, body: JSON.stringify(chainId) },
  200,
  /"0x7a69"/,
)
test(
  'B: another content type is 415',
  answersB,
  { verb: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' },
  415,
  /^invalid content type, only application\/json is supported\n$/,
)
test('B: broken JSON is a parse error', answersB, { verb: 'POST', headers: json, body: '{"a' }, 200, /-32700/)

test('A: unknown paths, unclean paths and unknown verbs', async (t) => {
  await using server = await startLocal()
  const unknown = await ask(`${server.urls.comet}/nope`)
  t.deepEqual(
    [unknown.status, unknown.body, unknown.headers['x-content-type-options']],
    [404, '404 page not found\n', 'nosniff'],
  )
  const moved = await talk(server.urls.comet, 'GET //status HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  t.regex(
    moved.text,
    /^HTTP\/1\.1 301 Moved Permanently\r\n[^]*Location: \/status\r\n[^]*<a href="\/status">Moved Permanently<\/a>\.\n\n$/,
  )
  t.is((await ask(`${server.urls.comet}/health`, { verb: 'DELETE' })).status, 200)
  const head = await ask(`${server.urls.comet}/health`, { verb: 'HEAD' })
  t.deepEqual([head.status, head.body, head.headers['content-length']], [200, '', '37'])
  const plain = await ask(`${server.urls.comet}/websocket`)
  t.deepEqual([plain.status, plain.body], [400, 'Bad Request\n'])
})

test('a target with a host is served by its path, and its host counts instead of the header', async (t) => {
  await using server = await startLocal()
  const body = JSON.stringify(chainId)
  const asked = async (target: string, more = '') => {
    const head = `POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`
    const { text } = await talk(
      server.urls.eth,
      `${head}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      2000,
    )
    return `${text.slice(9, 12)} ${text.trimEnd().split('\n').at(-1)}`
  }
  const answer = '200 {"jsonrpc":"2.0","id":1,"result":"0x7a69"}'
  const { host } = new URL(server.urls.eth)
  t.is(await asked(`http://${host}/`), answer)
  t.is(await asked(`HTTP://${host}`), answer)
  t.is(await asked(`http://${host}/s/one`), answer)
  t.regex(await asked('http://shop.example/'), /^403 The host "shop.example" is not allowed/)
  const upgrade =
    `GET http://${host}/s/one HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
    'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n'
  t.regex((await talk(server.urls.ethWs, upgrade, 500)).text, /^HTTP\/1\.1 101 /)
})

const malformed = test.macro(async (t, text: string, answer: RegExp) => {
  await using server = await startLocal()
  const got = await talk(server.urls.eth, text, 2000)
  t.true(got.closed)
  t.regex(got.text, answer)
  t.deepEqual(await post(server.urls.eth, chainId), { jsonrpc: '2.0', id: 1, result: '0x7a69' })
})

test(
  'garbage is a bad request',
  malformed,
  'garbage\r\n\r\n',
  /^HTTP\/1\.1 400 Bad Request\r\nContent-Type: text\/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request$/,
)
test(
  'another version of HTTP is refused',
  malformed,
  'POST / HTTP/2.0\r\nHost: x\r\n\r\n',
  /^HTTP\/1\.1 505 HTTP Version Not Supported: unsupported protocol version\r\n/,
)
test(
  'a request without Host is refused',
  malformed,
  'GET / HTTP/1.1\r\n\r\n',
  /^HTTP\/1\.1 400 [^]*400 Bad Request: missing required Host header$/,
)
test(
  'headers over the limit are refused',
  malformed,
  `GET / HTTP/1.1\r\nHost: localhost\r\nX-Big: ${'a'.repeat(1_060_000)}\r\n\r\n`,
  /^HTTP\/1\.1 431 |^$/,
)

test('connections beyond the cap wait until one closes', async (t) => {
  await using server = await startLocal({ maxOpenConnections: 1 })
  const { hostname, port } = new URL(server.urls.comet)
  const first = net.connect(Number(port), hostname)
  await new Promise((done) => {
    first.on('connect', done)
  })
  first.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((done) => {
    first.once('data', done)
  })
  const second = ask(`${server.urls.comet}/health`)
  const early = await Promise.race([
    second,
    new Promise((done) => {
      setTimeout(done, 100, 'waiting')
    }),
  ])
  t.is(early, 'waiting')
  first.destroy()
  t.is((await second).status, 200)
})

test('a client that sends its request too slowly is refused when its time is over', async (t) => {
  await using server = await startLocal({ apiReadTimeout: 1 })
  const { text, closed } = await talk(server.urls.rest, 'GET / HTTP/1.1\r\nHo')
  t.true(closed)
  t.regex(text, /^HTTP\/1\.1 408 Request Timeout/)
})

test('several listeners and a Unix socket serve the same chain', async (t) => {
  const path = `/tmp/chainstage-test-${process.pid}.sock`
  await using server = await startLocal({ rpcLaddr: `tcp://127.0.0.1:0,unix://${path}` })
  t.is((await ask(`${server.urls.comet}/health`)).status, 200)
  const text = await new Promise<string>((done) => {
    const socket = net.connect(path, () =>
      socket.write('GET /health HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n'),
    )
    let all = ''
    socket.on('data', (part) => {
      all += String(part)
    })
    socket.on('close', () => done(all))
  })
  t.regex(text, /"result":\{\}/)
  // CometBFT's client makes the host from the path.
  const socket = new WebSocket(`ws+unix:${path}:/websocket`, { headers: { host: 'tmp.chainstage-test.sock' } })
  await once(socket, 'open')
  socket.terminate()
})

test('a Unix socket that cannot be opened says what to check', async (t) => {
  const refused = { code: 'CANNOT_LISTEN', message: /no such folder$/ }
  const error = await t.throwsAsync(startLocal({ rpcLaddr: 'unix:///tmp/no/such/folder.sock' }), refused)
  t.regex(error instanceof SimError ? (error.hint ?? '') : '', /^Use a path in a folder/)
})
