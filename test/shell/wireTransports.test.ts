/** Every effect below a message, on every way a request can come over HTTP. */
import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { WebSocket } from 'ws'
import type { FaultDescription, Server } from '../../src/index.ts'
import { ask } from '../helpers/raw.ts'
import { eventually, startLocal } from '../helpers/server.ts'

const post = (method: string) => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method })
  return `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}
const ways = [
  { way: 'POST to A', url: ({ urls }: Server) => urls.comet, request: post('health') },
  {
    way: 'GET of CometBFT RPC',
    url: ({ urls }: Server) => urls.comet,
    request: 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n',
  },
  { way: 'POST to B', url: ({ urls }: Server) => urls.eth, request: post('net_version') },
] as const

/**
 * Returns what came and how it ended. `open` is what has said all that was wanted and stays, or what
 * has not ended when `over` does.
 */
function ending(
  url: string,
  request: string,
  { text: wanted, end: last }: Wanted,
  over: Promise<unknown>,
): Promise<Seen> {
  return new Promise((done) => {
    const { hostname, port } = new URL(url)
    let text = ''
    let end = 'open'
    const socket = net.connect(Number(port), hostname, () => socket.write(request))
    void over.finally(() => socket.destroy())
    socket.on('data', (part) => {
      text += String(part)
      if (last === 'open' && wanted.test(text))
        setTimeout(() => {
          socket.destroy()
        }, 30)
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end = String(error.code)
    })
    socket.on('end', () => {
      end = 'closed'
    })
    socket.on('close', () => done({ text, end }))
  })
}

type Seen = { readonly text: string; readonly end: string }
type Wanted = { readonly text: RegExp; readonly end: string; readonly isSilent?: true }

const onEveryWay = test.macro({
  async exec(t, effect: FaultDescription['effect'], wanted: Wanted) {
    await using server = await startLocal()
    await server.fault('planted', { match: { method: ['health', 'net_version'] }, effect })
    const applied = () => server.simulation().node.faults.counts.get('planted')?.applied
    // Silence is what has not ended some time after the fault has hit all of them, however busy the machine.
    const over =
      wanted.isSilent === true
        ? eventually(() => applied() === ways.length).then(() => delay(200))
        : delay(20_000, undefined, { ref: false })
    await Promise.all(
      ways.map(async ({ way, url, request }) => {
        const seen = await ending(url(server), request, wanted, over)
        t.regex(seen.text, wanted.text, way)
        t.true(wanted.end.split(' or ').includes(seen.end), `${way}: ${seen.end}`)
      }),
    )
    t.is(applied(), ways.length)
  },
  title: (_, effect: object) => `on every way: ${JSON.stringify(effect)}`,
})
const whole = /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n\{[^]*"result":[^]*\}\n?$/
test(onEveryWay, { hang: true }, { text: /^$/, end: 'open', isSilent: true })
test(onEveryWay, { timeout: '60ms' }, { text: /^$/, end: 'closed' })
test(onEveryWay, { latency: '60ms' }, { text: whole, end: 'open' })
test(onEveryWay, { empty: true }, { text: /Content-Length: 0\r\n\r\n$/, end: 'open' })
test(onEveryWay, { truncate: true }, { text: /\r\n\r\n\{[^}]*$/, end: 'open' })
test(onEveryWay, { malformed: 'json' }, { text: /\r\n\r\n\{[^]*,,/, end: 'open' })
test(onEveryWay, { malformed: 'utf8' }, { text: /\ufffd\ufffd/, end: 'open' })
test(onEveryWay, { malformed: 'chunk' }, { text: /\r\n\r\nzz\r\n\{/, end: 'closed' })
test(onEveryWay, { malformed: 'contentLength' }, { text: whole, end: 'closed' })
test(onEveryWay, { dribble: { bytes: 7, every: '3ms' } }, { text: whole, end: 'open' })
test(onEveryWay, { slowClose: '60ms' }, { text: whole, end: 'closed' })
test(onEveryWay, { reset: 'beforeHeaders' }, { text: /^$/, end: 'ECONNRESET' })
// On a busy machine a reset may be read together with what was sent: then it is an ordinary end.
test(onEveryWay, { reset: 'midBody' }, { text: /\r\n\r\n\{[^}]*$/, end: 'ECONNRESET or closed' })
test(onEveryWay, { reset: 'afterBody' }, { text: whole, end: 'ECONNRESET or closed' })
test(
  onEveryWay,
  {
    http: { status: 502, headers: { Server: 'proxy' }, body: '<h1>Bad Gateway</h1>' },
  },
  {
    text: /^HTTP\/1\.1 502 Bad Gateway\r\nContent-Type: text\/plain; charset=utf-8\r\nServer: proxy\r\n[^]*<h1>Bad Gateway<\/h1>$/,
    end: 'open',
  },
)
test(
  onEveryWay,
  { provider: 'rateLimit' },
  { text: /^HTTP\/1\.1 429 [^]*\r\nRetry-After: 1\r\n[^]*-32005/, end: 'open' },
)
test(onEveryWay, { nullResult: true }, { text: /"result":null/, end: 'open' })

test('each key has its own limit', async (t) => {
  await using server = await startLocal()
  await server.fault('quota', {
    select: {
      rate: { limit: 1, per: '1m', by: { header: 'X-Api-Key' } },
    },
    effect: { provider: 'rateLimit' },
  })
  const asked = async (key: string) =>
    (
      await ask(server.urls.eth, {
        verb: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: '{"jsonrpc":"2.0","id":1,"method":"net_version"}',
      })
    ).status
  t.deepEqual([await asked('a'), await asked('b'), await asked('a'), await asked('b')], [200, 200, 429, 429])
})

test('in a session connections that are refused break, and the main chain goes on', async (t) => {
  await using server = await startLocal()
  const session = server.session('alone')
  await session.fault('gone', { effect: { refuse: true } })
  const body = '{"jsonrpc":"2.0","id":1,"method":"net_version"}'
  const asked = (url: string) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      ({ status }) => String(status),
      (error: Error) => String(error.cause),
    )
  t.regex(await asked(session.urls.eth), /reset|closed/i)
  t.regex(await asked(session.urls.comet), /reset|closed/i)
  t.is(await asked(server.urls.eth), '200')
  const opened = (url: string) =>
    new Promise<string>((done) => {
      const socket = new WebSocket(url)
      socket.once('open', () => {
        socket.terminate()
        done('open')
      })
      socket.once('error', ({ message }) => done(message))
    })
  for (const side of ['ethWs', 'cometWs'] as const) {
    t.regex(await opened(session.urls[side]), /503/)
    t.is(await opened(server.urls[side]), 'open')
  }
})
