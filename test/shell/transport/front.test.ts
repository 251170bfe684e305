/** The front answers every stream of bytes as node:http does. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import test from 'ava'
import fc from 'fast-check'
import type { FaultDescription } from '../../../src/index.ts'
import { handleOf } from '../../../src/shell/handle.ts'
import { holdResponse, sendLongHeld } from '../../../src/shell/heldResponses.ts'
import { eventually } from '../../helpers/server.ts'
import { startFronts, type Fronts, type FrontSide } from '../../helpers/fronts.ts'
import { h2cOffer } from '../../helpers/raw.ts'

const bodies = [
  '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
  '{"jsonrpc":"2.0","id":"ü€","method":"net_version","params":["€"]}',
  '{"jsonrpc":"2.0","id":1,"method":"health","params":{}}',
  '[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":2,"method":"eth_nothing"}]',
  '{"jsonrpc":',
  '',
  `{"jsonrpc":"2.0","id":1,"method":"health","params":{"a":"${'x'.repeat(70_000)}"}}`,
  `{"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x${'ab'.repeat(40_000)}"]}`,
]

/** Headers that a request may have besides its own. */
const headers = fc.constantFrom(
  'Content-Type: application/json',
  'content-type:application/json',
  'Content-Type: text/plain',
  'Content-Type: application/grpc-web+proto',
  'Content-Type: application/grpc-web-text',
  'X-Cosmos-Block-Height: 1',
  'X-Cosmos-Block-Height: high',
  'Grpc-Timeout: 1n',
  'Origin: http://localhost:3000',
  'Origin: https://shop.example',
  'Sec-Fetch-Site: cross-site',
  'Connection: keep-alive',
  'Connection: close',
  'Connection: Upgrade, HTTP2-Settings',
  'Connection:',
  'Keep-Alive: timeout=5',
  'Upgrade: h2c',
  'Upgrade: websocket',
  'Expect: 100-continue',
  'Expect: the worst',
  'TE: trailers',
  'Accept-Encoding: gzip, deflate, br',
  'User-Agent: a browser (of some sort)',
  `X-Long: ${'a'.repeat(2000)}`,
  `X-Longer: ${'a'.repeat(5000)}`,
  'X-Blank:   in the middle   and behind   ',
  'X-Tab:\tone',
  'X-Empty:',
  'X_Under: 1',
  'X Space: 1',
  'X-Latin: caf\u00e9',
  'X-Null: \u0000',
  'Host: localhost',
  'Host: 127.0.0.1:8545',
  'Cookie: a=1; b=2',
  'Set-Cookie: a=1',
  'Content-Length: 3',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: gzip',
  ' folded: line',
  'no colon',
  ': no name',
  '__proto__: x',
  'constructor: x',
)

const targets = [
  ...['/cosmos/bank/v1beta1/params', '/cosmos/bank/v1beta1/supply?pagination.limit=1', '/cosmos/tx/v1beta1/txs'],
  ...['/cosmos/staking/v1beta1/validators/', '/cosmos/nothing', '/cosmos.bank.v1beta1.Query/Params', '/metrics'],
  ...['/health', '/status?x="1"', '/?a=b', '/hardhat', '/s/one/', '/s/one', '/s/%20/', '//', '/a#b', '*', '/\u00fc'],
  ...['http://localhost/', `/${'a'.repeat(300)}`, '/a b', ''],
]

/** Most requests of an interface. */
const usual = {
  eth: { verb: 'POST', target: '/' },
  comet: { verb: 'POST', target: '/' },
  rest: { verb: 'GET', target: '/cosmos/bank/v1beta1/supply' },
} as const

/** One request as its head and body, and the bytes that follow by mistake. */
const requestTo = (side: FrontSide): fc.Arbitrary<readonly string[]> =>
  fc
    .record({
      verb: mostly(usual[side].verb, 'POST', 'GET', 'HEAD', 'PUT', 'OPTIONS', 'post', 'CONNECT'),
      target: mostly(usual[side].target, '/', ...targets),
      version: mostly('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'http/1.1', 'HTTP/1.1 ', ''),
      host: mostly('Host: localhost', 'Host: evil.example', 'Host:', 'X-No: host'),
      more: fc.array(headers, { maxLength: 3 }),
      body: fc.constantFrom(...bodies),
      length: mostly(
        'right',
        'none',
        'chunked',
        'less',
        'more',
        '007',
        '+5',
        '1e3',
        '1000001',
        '5242881',
        '9'.repeat(20),
      ),
      end: mostly('\r\n', '\n', '\r', '\r\n\r\n'),
    })
    .map(({ verb, target, version, host, more, body, length, end }) => {
      const { lines, text, rest = '' } = bodyOf(body, length)
      return [[`${verb} ${target} ${version}`, host, ...more, ...lines, '', text].join(end), rest]
    })

function mostly(usual: string, ...others: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, fc.constantFrom(...others))
}

type Body = { readonly lines: readonly string[]; readonly text: string; readonly rest?: string }

function bodyOf(body: string, length: string): Body {
  const size = Buffer.byteLength(body)
  const text = Buffer.from(body).toString('latin1')
  if (length === 'none') return { lines: [], text: '' }
  if (length === 'chunked') {
    return { lines: ['Transfer-Encoding: chunked'], text: `${size.toString(16)}\r\n${text}\r\n0\r\n\r\n` }
  }
  const [said, rest] = { right: [size], less: [size - 3, text.slice(-3)], more: [size + 3] }[length] ?? [length]
  return {
    lines: [`Content-Length: ${said}`],
    text: rest === undefined ? text : text.slice(0, -3),
    rest: String(rest ?? ''),
  }
}

/** The bytes of some requests, in which one may be changed, each cut into pieces anywhere. */
const streamTo = (side: FrontSide) =>
  fc
    .record({
      requests: fc.array(requestTo(side), { minLength: 1, maxLength: 4 }),
      spoilt: fc.option(fc.tuple(fc.nat(400), fc.nat(255)), { freq: 6 }),
      cuts: fc.array(fc.nat(2 ** 30), { maxLength: 2 }),
    })
    .map(({ requests, spoilt, cuts }) =>
      requests.flat().flatMap((text, index) => {
        const bytes = Buffer.from(text, 'latin1')
        if (index === 0 && spoilt !== null && spoilt[0] < bytes.length) bytes[spoilt[0]] = spoilt[1]
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
        return places.slice(1).map((place, at) => bytes.subarray(places[at], place))
      }),
    )

const refusal = /HTTP\/1\.1 [^\r]*\r\nContent-Type: text\/plain; charset=utf-8\r\nConnection: close\r\n\r\n[^\r\n]*$/

/**
 * Returns the answers of node:http, with those that it loses: if malformed bytes follow a request in
 * one piece, it refuses them before it sends its answer to that request. The front sends the answer.
 */
function withLost(plain: string, front: string): string {
  const [last] = refusal.exec(plain) ?? []
  if (last === undefined) return plain
  const isLost = front.endsWith(last) && front.startsWith(plain.slice(0, -last.length))
  return isLost ? front : plain
}

let fronts: Fronts
test.before(async () => {
  fronts = await startFronts({ corsAllowedOrigins: ['https://shop.example'] })
})
test.after.always(() => fronts[Symbol.asyncDispose]())

for (const side of ['eth', 'comet', 'rest'] as const)
  test.serial(`${side}: random requests, whole and spoilt, are answered as by node:http`, async (t) => {
    await fc.assert(
      fc.asyncProperty(streamTo(side), async (pieces) => {
        const { front, plain } = await fronts.heard(side, pieces)
        t.deepEqual(front, { ...plain, text: withLost(plain.text, front.text) })
      }),
      { seed: 17, numRuns: 100 },
    )
  })

const json = 'Content-Type: application/json'

function post(call: object, ...more: readonly string[]): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
  const head = ['POST / HTTP/1.1', 'Host: localhost', json, ...more, `Content-Length: ${Buffer.byteLength(body)}`]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const effects: readonly FaultDescription['effect'][] = [
  ...([{ hang: true }, { timeout: '20ms' }, { latency: '20ms' }, { empty: true }, { truncate: true }] as const),
  ...([{ malformed: 'utf8' }, { malformed: 'chunk' }, { malformed: 'contentLength' }, { slowClose: '20ms' }] as const),
  ...([{ dribble: { bytes: 7, every: '3ms' } }, { reset: 'beforeHeaders' }, { provider: 'rateLimit' }] as const),
  { http: { status: 204, headers: { Server: 'proxy', Connection: 'close' }, body: '' } },
  { http: { status: 502, headers: { Server: 'proxy', 'X-Cache': 'miss' }, body: '<h1>Bad Gateway</h1>' } },
]

/** A method for each effect, so that all of them can be planted at once. */
const methods = [
  ...['net_version', 'eth_chainId', 'web3_clientVersion', 'eth_gasPrice', 'eth_syncing', 'eth_mining', 'eth_hashrate'],
  ...['net_listening', 'net_peerCount', 'eth_accounts', 'eth_protocolVersion', 'eth_coinbase', 'eth_blockNumber'],
  'eth_maxPriorityFeePerGas',
]

test.serial('faults below a message are the same as those of node:http', async (t) => {
  await using other = await startFronts()
  const { fault } = handleOf(other.running.main, () => other.running.urls)
  for (const [place, effect] of effects.entries()) {
    await fault(`planted-${place}`, { match: { method: methods[place] ?? '' }, effect })
  }
  await Promise.all(
    effects.map(async (effect, place) => {
      const { front, plain } = await other.heard('eth', [Buffer.from(post({ method: methods[place] }))], 1000)
      t.is(front.text, plain.text, JSON.stringify(effect))
      t.is(front.end, plain.end, JSON.stringify(effect))
    }),
  )
})

test.serial('a response is sent although the connection ends with the request behind it', async (t) => {
  const { fault } = handleOf(fronts.running.main, () => fronts.running.urls)
  const turnOff = await fault('ended', { match: { method: 'eth_chainId' }, effect: { reset: 'beforeHeaders' } })
  const pieces = [Buffer.from(post({ id: 7, method: 'net_version' }) + post({ id: 8, method: 'eth_chainId' }))]
  const { front, plain } = await fronts.heard('eth', pieces, 1000)
  turnOff()
  t.regex(front.text, /"id":7,"result":"31337"\}\n$/)
  t.deepEqual(front, plain)
})

test.serial('requests in one piece are served in their order, also when one has to wait', async (t) => {
  const { fault } = handleOf(fronts.running.main, () => fronts.running.urls)
  const turnOff = await fault('slow', { match: { method: 'eth_chainId' }, effect: { latency: '30ms' } })
  const methods = ['net_version', 'eth_chainId', 'eth_chainId', 'net_version', 'eth_chainId']
  const all = methods.map((method, id) => post({ id, method })).join('')
  const { front, plain } = await fronts.heard(
    'eth',
    [Buffer.from(`${all}GET /x HTTP/1.1\r\nHost: localhost\r\n\r\n`)],
    1000,
  )
  turnOff()
  t.deepEqual(
    [...front.text.matchAll(/"id":(\d)/g)].map(([, id]) => id),
    ['0', '1', '2', '3', '4'],
  )
  t.is(front.text, plain.text)
})

test.serial('a client that leaves does not get the answer that it waited for', async (t) => {
  const { fault } = handleOf(fronts.running.main, () => fronts.running.urls)
  const turnOff = await fault('slow', { match: { method: 'eth_chainId' }, effect: { latency: '5s' } })
  const { front, plain } = await fronts.heard('eth', [Buffer.from(post({ method: 'eth_chainId' }))])
  turnOff()
  t.deepEqual([front.text, front.end], ['', 'closed'])
  t.deepEqual(front, plain)
})

test.serial('after requests of the front, node:http takes over an upgrade, and the front its next ones', async (t) => {
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'
  const upgrade = `GET /websocket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`
  const health = { method: 'health' }
  const pieces = [post(health), post(health, ...h2cOffer), post(health), upgrade].map((text) => Buffer.from(text))
  const { front, plain } = await fronts.heard('comet', pieces, 1500)
  t.regex(front.text, /^(?:HTTP\/1\.1 200 OK\r\n[^{]*\{"jsonrpc":"2.0","id":1,"result":\{\}\}){3}HTTP\/1\.1 101 /)
  t.is(front.text, plain.text)
})

test('a body that stays away is refused, and an idle connection closed', async (t) => {
  await using brief = await startFronts({ ethHttpTimeout: '150ms', ethHttpIdleTimeout: '300ms' })
  const whole = post({ method: 'net_version' })
  const late = /^HTTP\/1\.1 408 Request Timeout\r\n[^]*408 Request Timeout$/
  const [silent, partial, idle] = await Promise.all(
    [[], [whole.slice(0, -5)], [whole]].map((pieces) =>
      brief.heardByFront(
        'eth',
        pieces.map((text) => Buffer.from(text)),
        10_000,
      ),
    ),
  )
  t.regex(silent?.text ?? '', late)
  t.regex(partial?.text ?? '', late)
  t.regex(idle?.text ?? '', /^HTTP\/1\.1 200 OK\r\n[^]*"result":"31337"\}\n$/)
  t.deepEqual([silent?.end, partial?.end, idle?.end], ['closed', 'closed', 'closed'])
})

test('with a timeout of months, a body in two pieces is served', async (t) => {
  await using patient = await startFronts({ ethHttpTimeout: '1000h', ethHttpIdleTimeout: '1000h' })
  const socket = patient.open('eth')
  const whole = post({ method: 'net_version' })
  socket.write(whole.slice(0, -5))
  await setTimeout(100)
  socket.write(whole.slice(-5))
  const [answer] = await once(socket, 'data')
  t.regex(String(answer), /^HTTP\/1\.1 200 OK\r\n/)
  socket.destroy()
})

test('a client that does not read is not served further than its buffers', async (t) => {
  await using brief = await startFronts()
  const id = 'x'.repeat(60_000)
  const socket = brief.open('eth')
  const count = 250
  for (let sent = 0; sent < count; sent++) socket.write(post({ id, method: 'net_version' }))
  socket.pause()
  await eventually(() => brief.entered('eth').length > 0)
  let served = 0
  while (served < brief.entered('eth').length) {
    served = brief.entered('eth').length
    await setTimeout(500)
  }
  t.true(served > 0 && served < count, `${served} were served`)
  let bytes = 0
  socket.on('data', (part) => {
    bytes += part.length
  })
  socket.resume()
  await eventually(() => brief.entered('eth').length === count && bytes > count * id.length)
  socket.destroy()
})

test('long responses to several clients do not mix, also if one of them reads late', async (t) => {
  await using brief = await startFronts()
  // More than the buffers of a socket, so that responses to the late client wait in the server.
  const lengths = [...Array.from({ length: 40 }, () => 200_000), 3000, 5000, 20_000, 300_000, 100_000, 4000]
  const clients = ['a', 'b', 'c', 'ü'].map((letter) => {
    const socket = brief.open('eth')
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    /** Returns the lengths of the ids that came back, and 0 for one with another letter. */
    const found = () =>
      [...String(Buffer.concat(parts)).matchAll(/"id":"([^"]*)"/g)].map(([, id = '']) =>
        id === letter.repeat(id.length) ? id.length : 0,
      )
    return { socket, letter, found }
  })
  const [late] = clients
  late?.socket.pause()
  for (const { socket, letter, found } of clients) {
    for (const length of lengths) socket.write(post({ id: letter.repeat(length), method: 'net_version' }))
    if (socket.isPaused()) continue
    await eventually(() => found().length === lengths.length)
    t.deepEqual(found(), lengths)
  }
  late?.socket.resume()
  await eventually(() => late?.found().length === lengths.length)
  t.deepEqual(late?.found(), lengths)
  for (const { socket } of clients) socket.destroy()
})

test('a held response is sent before another request is served, if it has waited for long', (t) => {
  let sent = 0
  const socket = { cork: () => {}, uncork: () => sent++ } as unknown as Socket
  holdResponse(socket)
  t.is(sent, 0)
  for (const sinceMs = Date.now(); Date.now() < sinceMs + 3; ); // this thread stays busy, so no round ends
  sendLongHeld()
  t.is(sent, 1)
})
