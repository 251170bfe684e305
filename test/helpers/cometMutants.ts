/**
 * Recorded requests of CometBFT RPC with mistakes in them, over real sockets against a whole chain.
 */
import { readdirSync, readFileSync } from 'node:fs'
import http from 'node:http'
import test from 'ava'
import { WebSocket } from 'ws'
import { startLocal } from './server.ts'

const golden = new URL('../../../test/golden/', import.meta.url)
const agent = new http.Agent({ keepAlive: true, maxSockets: 8 })

type Case = { readonly interface: string; readonly via: string; readonly request: unknown }
type Want = {
  readonly status?: number
  readonly body?: { readonly error?: { readonly code: number; readonly message: string } }
}

const files = readdirSync(new URL('cases/', golden)).filter((name) => /^(?:v-)?a-/.test(name))
const read = <Value>(path: string) => JSON.parse(readFileSync(new URL(path, golden), 'utf8')) as Value
const cases = files.flatMap((name) => read<Case[]>(`cases/${name}`)).filter((one) => one.interface === 'a')

const textOf = (request: unknown) => (typeof request === 'string' ? request : JSON.stringify(request))
const short = (text: string) => text.length < 4000
const sent = (request: unknown) =>
  (request as { send?: unknown }[]).flatMap(({ send }) => (send === undefined ? [] : [textOf(send)]))

/** What was asked of the recorded node, by how it was asked. */
const corpus = {
  get: cases
    .filter(({ via }) => via === 'get')
    .map(({ request }) => String(request))
    .filter(short),
  post: cases
    .filter(({ via }) => via === 'post')
    .map(({ request }) => textOf(request))
    .filter(short),
  ws: cases
    .filter(({ via }) => via === 'ws')
    .flatMap(({ request }) => sent(request))
    .filter(short),
}

const kindOf = (code: number, message: string) => `${code} ${message}`

/** The errors that the recorded node answered with status 500. */
const known500 = new Set(
  files
    .flatMap((name) => Object.values(read<Record<string, Want>>(`want/${name}`)))
    .flatMap(({ status, body }) =>
      status === 500 && body?.error ? [kindOf(body.error.code, body.error.message)] : [],
    ),
)

/** Numbers below a bound, the same on every run (Numerical Recipes' generator). */
function drawing(seed: number): (bound: number) => number {
  let state = seed >>> 0
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

const scraps = [
  '',
  '"',
  "'",
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '0',
  '-1',
  '1e30',
  '99999999999999999999',
  'null',
  'true',
  '\\',
  '\\u0000',
  '\u0000',
  'é',
  '%',
  '%00',
  '%zz',
  '0x',
  '=',
  '&',
  '?',
  '/',
  ' ',
  'AND',
  ' EXISTS',
  "tm.event='Tx'",
  'height',
  'a'.repeat(300),
  '\n',
  '<',
  '[[[[[[[[',
]

/** One to four changes: a scrap put in or over, a piece gone, twice, or out of another request. */
function mutant(texts: readonly string[], draw: (bound: number) => number): string {
  let text = texts[draw(texts.length)] ?? ''
  for (let left = 1 + draw(4); left > 0; left--) {
    const at = draw(text.length + 1)
    const length = draw(Math.min(24, text.length - at + 1))
    const piece = text.slice(at, at + length)
    const other = texts[draw(texts.length)] ?? ''
    const choices = [
      scraps[draw(scraps.length)] ?? '',
      scraps[draw(scraps.length)] + piece,
      '',
      piece + piece,
      other.slice(draw(other.length), draw(other.length) + 12),
      String.fromCharCode(draw(256)) + piece.slice(1),
    ]
    text = text.slice(0, at) + (choices[draw(choices.length)] ?? '') + text.slice(at + length)
  }
  return text
}

/** node sends no other bytes in a request line. */
function printable(text: string): string {
  return Buffer.from(text)
    .toString('latin1')
    .replace(/[^\x21-\x7e]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

type Answered = { readonly status: number; readonly body: string }

function ask(url: string, options: http.RequestOptions, body?: string): Promise<Answered> {
  return new Promise((done, fail) => {
    const request = http.request(url, { agent, ...options, timeout: 20_000 }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => done({ status: response.statusCode ?? 0, body: Buffer.concat(parts).toString() }))
    })
    request.on('timeout', () => request.destroy(new Error('unanswered')))
    request.on('error', fail)
    request.end(body)
  })
}

/** Returns what is wrong with an answer: a bug of ours, or a 500 that no node was seen to give. */
function complaintOf({ status, body }: Answered): string | undefined {
  if (body.includes('incident')) return `a bug: ${body}`
  if (status !== 500) return undefined
  const { error } = JSON.parse(body) as { error?: { code: number; message: string } }
  const isKnown = error !== undefined && known500.has(kindOf(error.code, error.message))
  return isKnown ? undefined : `a 500 of our own: ${body}`
}

const settings = { broadcastCommitTimeout: '50ms', ethApi: ['eth'], maxOpenConnections: 0 } as const

/** Declares the tests. */
export function mutate(count: number): void {
  test(`${count} spoilt paths are answered as a node might`, async (t) => {
    await using server = await startLocal(settings)
    const draw = drawing(1)
    const wrong: string[] = []
    for (let index = 0; index < count; index++) {
      const path = printable(mutant(corpus.get, draw))
      const answered = await ask(server.urls.comet, { path: `/${path.replace(/^\//, '')}` })
      const complaint = complaintOf(answered)
      if (complaint !== undefined) wrong.push(`${path}: ${complaint}`)
    }
    t.deepEqual(wrong.slice(0, 5), [])
  })

  test(`${count} spoilt posts are answered as a node might`, async (t) => {
    await using server = await startLocal(settings)
    const draw = drawing(2)
    const wrong: string[] = []
    for (let index = 0; index < count; index++) {
      const body = mutant(corpus.post, draw)
      const headers = { 'content-type': 'application/json' }
      const complaint = complaintOf(await ask(server.urls.comet, { method: 'POST', headers }, body))
      if (complaint !== undefined) wrong.push(`${body}: ${complaint}`)
    }
    t.deepEqual(wrong.slice(0, 5), [])
  })

  test(`${count} spoilt messages leave a connection that answers`, async (t) => {
    await using server = await startLocal(settings)
    const draw = drawing(3)
    const wrong: string[] = []
    let line = await Line.open(server.urls.cometWs)
    for (let index = 0; index < count; index++) {
      const message = mutant(corpus.ws, draw)
      const seen = await line.tell(message)
      if (seen === 'closed') line = await Line.open(server.urls.cometWs)
      else if (seen.some((text) => text.includes('incident'))) wrong.push(`${message}: ${seen.join()}`)
    }
    line.close()
    t.deepEqual(wrong.slice(0, 5), [])
  })
}

const after = JSON.stringify({ jsonrpc: '2.0', id: 'after', method: 'health', params: {} })

/**
 * A connection that asks for its health after each message: answers come in the order of questions.
 */
class Line {
  readonly #socket: WebSocket

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('error', () => {})
  }

  static open(url: string): Promise<Line> {
    const socket = new WebSocket(url)
    return new Promise((done) => {
      socket.once('open', () => done(new Line(socket)))
    })
  }

  tell(message: string): Promise<readonly string[] | 'closed'> {
    const socket = this.#socket
    const seen: string[] = []
    return new Promise((done, fail) => {
      const timer = setTimeout(() => fail(new Error(`unanswered: ${message}`)), 20_000)
      const finish = (value: readonly string[] | 'closed') => {
        clearTimeout(timer)
        socket.off('message', heard)
        socket.off('close', gone)
        done(value)
      }
      const gone = () => finish('closed')
      const heard = (data: unknown) => {
        const text = String(data)
        if (text.includes('"id":"after"')) finish(seen)
        else seen.push(text)
      }
      socket.on('message', heard)
      socket.on('close', gone)
      socket.send(message)
      socket.send(after)
    })
  }

  close(): void {
    this.#socket.terminate()
  }
}
