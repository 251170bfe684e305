import net from 'node:net'
import test from 'ava'
import type { FaultEffect } from '../../src/fault/effect.ts'
import { ask } from '../helpers/raw.ts'
import { startLocal } from '../helpers/server.ts'

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const request = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/**
 * Returns what came and how it ended: `reset`, `closed` or `open`; `enough` is all of an open one.
 */
function ending(
  url: string,
  withinMs: number,
  enough?: RegExp,
): Promise<{
  text: string
  end: string
}> {
  return new Promise((done) => {
    const { hostname, port } = new URL(url)
    let text = ''
    let end = 'open'
    const socket = net.connect(Number(port), hostname, () => socket.write(request))
    const timer = setTimeout(() => {
      socket.destroy()
    }, withinMs)
    socket.on('data', (part) => {
      text += String(part)
      if (enough?.test(text)) socket.destroy()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      end = error.code === 'ECONNRESET' ? 'reset' : String(error.code)
    })
    socket.on('end', () => {
      end = 'closed'
    })
    socket.on('close', () => {
      clearTimeout(timer)
      done({ text, end })
    })
  })
}

/** What comes within `silentMs`, if nothing more is to come; else all of it. */
type Expected = { readonly text: RegExp; readonly end: string; readonly silentMs?: number }

const effect = test.macro(async (t, terminal: FaultEffect, expected: Expected) => {
  await using server = await startLocal()
  server.operate({
    type: 'setFault',
    fault: {
      rule: {
        name: 'planted',
        match: {},
        select: { type: 'all' },
        at: 'after',
        effects: [terminal],
        cors: 'keep',
      },
    },
  })
  const { silentMs } = expected
  const enough = expected.end === 'open' && silentMs === undefined ? expected.text : undefined
  const { text, end } = await ending(server.urls.eth, silentMs ?? 20_000, enough)
  t.regex(text, expected.text)
  t.is(end, expected.end)
})

test.serial(
  'a hang sends nothing and keeps the connection',
  effect,
  { type: 'hang' },
  { text: /^$/, end: 'open', silentMs: 400 },
)
test.serial(
  'a reset before the headers sends nothing',
  effect,
  { type: 'reset', when: 'beforeHeaders' },
  { text: /^$/, end: 'reset' },
)
test.serial(
  'a reset in the body sends half of it',
  effect,
  { type: 'reset', when: 'midBody' },
  { text: /^HTTP\/1\.1 200 OK\r\n[^]*\{"jsonrpc"(?![^]*0x7a69)/, end: 'reset' },
)
test.serial(
  'a reset after the body sends all of it',
  effect,
  { type: 'reset', when: 'afterBody' },
  { text: /"result":"0x7a69"\}\n$/, end: 'reset' },
)

test.serial(
  'an empty body has the status and the headers',
  effect,
  { type: 'body', damage: 'empty' },
  { text: /^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 0\r\n\r\n$/, end: 'open' },
)
test.serial(
  'a truncated body ends in a word',
  effect,
  { type: 'body', damage: 'truncate' },
  { text: /\{"jsonrpc"(?![^]*0x7a69)/, end: 'open' },
)
test.serial(
  'malformed JSON is no JSON',
  effect,
  { type: 'body', damage: 'json' },
  { text: /\{"jsonrpc":"2\.0",,/, end: 'open' },
)
test.serial(
  'a length that is too long ends before it',
  effect,
  { type: 'framing', damage: 'contentLength' },
  { text: /"result":"0x7a69"\}\n$/, end: 'closed' },
)
test.serial(
  'a malformed chunk has no length',
  effect,
  { type: 'framing', damage: 'chunk' },
  { text: /Transfer-Encoding: chunked\r\n\r\nzz\r\n\{/, end: 'closed' },
)
test.serial(
  'bytes that are no text stand in the body',
  effect,
  { type: 'framing', damage: 'utf8' },
  { text: /\{"jsonrpc"[^]*\ufffd\ufffd/, end: 'open' },
)
test.serial(
  'a dribbled body comes whole',
  effect,
  { type: 'dribble', bytes: 9, everyMs: 5 },
  { text: /"result":"0x7a69"\}\n$/, end: 'open' },
)
test.serial(
  'a body whose parts come after 60 days has not begun',
  effect,
  { type: 'dribble', bytes: 9, everyMs: 60 * 86_400_000 },
  { text: /^$/, end: 'open', silentMs: 400 },
)
test.serial(
  'a null result is an answer',
  effect,
  { type: 'result', changes: [{ path: '', change: 'remove', value: 'null' }] },
  { text: /"id":1,"result":null\}\n$/, end: 'open' },
)

const readable = test.macro(async (t, side: 'comet' | 'eth', cors: 'keep' | 'strip') => {
  await using server = await startLocal()
  const http: FaultEffect = {
    type: 'http',
    status: 429,
    headers: [['Retry-After', '2']],
    body: '{"id":"$id"}',
  }
  server.operate({
    type: 'setFault',
    fault: {
      rule: {
        name: 'planted',
        match: {},
        select: { type: 'all' },
        at: 'before',
        effects: [http],
        cors,
      },
    },
  })
  const message = '{"jsonrpc":"2.0","id":7,"method":"health"}'
  const {
    status,
    headers,
    body: text,
  } = await ask(server.urls[side], {
    verb: 'POST',
    headers: { origin: 'http://example.com', 'content-type': 'application/json' },
    body: message,
  })
  t.deepEqual([status, headers['retry-after'], text], [429, '2', '{"id":7}'])
  t.is(headers['access-control-allow-origin'], cors === 'keep' ? '*' : undefined)
})

test('A: a page can read a fault', readable, 'comet', 'keep')
test('A: a page cannot read a fault that strips CORS', readable, 'comet', 'strip')
test('B: a page can read a fault', readable, 'eth', 'keep')
test('B: a page cannot read a fault that strips CORS', readable, 'eth', 'strip')
