import net from 'node:net'
import test from 'ava'
import type { FaultEffect } from '../../src/fault/rule.ts'
import { ask } from '../helpers/raw.ts'
import { startLocal } from '../helpers/server.ts'

const body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
const request = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Returns what came and how it ended: `reset`, `closed` or `open`. */
function ending(url: string, withinMs: number): Promise<{ text: string; end: string }> {
  return new Promise((done) => {
    const { hostname, port } = new URL(url)
    let text = ''
    let end = 'open'
    const socket = net.connect(Number(port), hostname, () => socket.write(request))
    const timer = setTimeout(() => { socket.destroy() }, withinMs)
    socket.on('data', (part) => { text += String(part) })
    socket.on('error', (error: NodeJS.ErrnoException) => { end = error.code === 'ECONNRESET' ? 'reset' : String(error.code) })
    socket.on('end', () => { end = 'closed' })
    socket.on('close', () => { clearTimeout(timer); done({ text, end }) })
  })
}

const effect = test.macro(async (t, terminal: FaultEffect, expected: { text: RegExp; end: string }) => {
  await using server = await startLocal()
  server.operate({
    type: 'setFault', fault: {
      untilMs: undefined, untilHeight: undefined,
      rule: { name: 'planted', match: {}, select: { type: 'all' }, at: 'after', effects: [terminal], cors: 'keep' },
    },
  })
  const { text, end } = await ending(server.urls.eth, terminal.type === 'hang' ? 400 : 20_000)
  t.regex(text, expected.text)
  t.is(end, expected.end)
})

test('a hang sends nothing and keeps the connection', effect, { type: 'hang' }, { text: /^$/, end: 'open' })
test('a reset before the headers sends nothing', effect, { type: 'reset', when: 'beforeHeaders' }, { text: /^$/, end: 'reset' })
test('a reset in the body sends half of it', effect, { type: 'reset', when: 'midBody' }, { text: /^HTTP\/1\.1 200 OK\r\n[^]*\{"jsonrpc"(?![^]*0x7a69)/, end: 'reset' })
test('a reset after the body sends all of it', effect, { type: 'reset', when: 'afterBody' }, { text: /"result":"0x7a69"\}\n$/, end: 'reset' })

const readable = test.macro(async (t, side: 'comet' | 'eth', cors: 'keep' | 'strip') => {
  await using server = await startLocal()
  const http: FaultEffect = { type: 'http', status: 429, headers: [['Retry-After', '2']], body: '{"id":"$id"}' }
  server.operate({
    type: 'setFault', fault: {
      untilMs: undefined, untilHeight: undefined,
      rule: { name: 'planted', match: {}, select: { type: 'all' }, at: 'before', effects: [http], cors },
    },
  })
  const message = '{"jsonrpc":"2.0","id":7,"method":"health"}'
  const { status, headers, body: text } = await ask(server.urls[side], {
    verb: 'POST', headers: { origin: 'http://example.com', 'content-type': 'application/json' }, body: message,
  })
  t.deepEqual([status, headers['retry-after'], text], [429, '2', '{"id":7}'])
  t.is(headers['access-control-allow-origin'], cors === 'keep' ? '*' : undefined)
})

test('A: a page can read a fault', readable, 'comet', 'keep')
test('A: a page cannot read a fault that strips CORS', readable, 'comet', 'strip')
test('B: a page can read a fault', readable, 'eth', 'keep')
test('B: a page cannot read a fault that strips CORS', readable, 'eth', 'strip')
