/** HTTP, raw TCP and WebSocket exchanges, each reduced to what is compared. */
import http from 'node:http'
import net from 'node:net'
import { WebSocket } from 'ws'
import { parse, toJson, type Json } from './json.ts'

export type Answer = Map<string, Json>

const kept = new Set([
  'content-type',
  'content-encoding',
  'cache-control',
  'allow',
  'vary',
  'x-content-type-options',
  'retry-after',
  'sec-websocket-version',
])

const keptOfRest = new Set(['location', 'trailer', 'x-cosmos-block-height'])

/**
 * The value of X-Server-Time is a clock: only its presence counts. Of the REST API more is kept,
 * and the names that pages may read are in random order there.
 */
function keptHeaders(headers: http.IncomingHttpHeaders, isRest: boolean): Record<string, string> {
  const isKept = (name: string) =>
    kept.has(name) ||
    name.startsWith('access-control-') ||
    (isRest && (keptOfRest.has(name) || name.startsWith('grpc-')))
  return Object.fromEntries(
    Object.keys(headers)
      .sort()
      .flatMap((name) => {
        if (name === 'x-server-time') return [[name, 'present']]
        if (!isKept(name)) return []
        const value = String(headers[name])
        return [
          [name, isRest && name === 'access-control-expose-headers' ? value.split(', ').sort().join(', ') : value],
        ]
      }),
  )
}

export function readBody(text: string): Json {
  try {
    return parse(text)
  } catch {
    return text
  }
}

function answer(parts: Record<string, unknown>): Answer {
  return toJson(parts) as Answer
}

export type Request = {
  method: string
  headers: Record<string, string>
  body: string | Buffer | undefined
  /** Whether it is a request to the REST API, of whose answer more is compared. */
  isRest?: boolean
}

/** Sends one HTTP request on a connection of its own. */
export function exchange(url: string, { method, headers, body, isRest = false }: Request): Promise<Answer> {
  return new Promise((done) => {
    const request = http.request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', () => done(answer({ error: 'broken' })))
      response.on('end', () => {
        const bytes = Buffer.concat(parts)
        const isBinary = isRest && /grpc-web(?!-text)/.test(response.headers['content-type'] ?? '')
        done(
          answer({
            status: response.statusCode,
            headers: keptHeaders(response.headers, isRest),
            body: isBinary ? bytes.toString('hex') : readBody(bytes.toString('utf8')),
          }),
        )
      })
    })
    request.on('error', (error: NodeJS.ErrnoException) =>
      done(answer({ error: error.code === 'EPIPE' ? 'ECONNRESET' : (error.code ?? error.message) })),
    )
    if (body !== undefined) request.write(body)
    request.end()
  })
}

/**
 * Sends bytes as they are and reads until the peer closes or the time is over. On a busy machine the
 * first byte may be late: it has ten times as long, and the rest follows within the time.
 */
export function rawExchange(
  url: string,
  text: string | Buffer,
  { withinMs, isRest }: { withinMs: number; isRest: boolean },
): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((done) => {
    const parts: Buffer[] = []
    const socket = net.connect(Number(port), hostname, () => socket.write(text))
    const finish = (closed: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      done(answer(readRaw(Buffer.concat(parts).toString('utf8'), closed, isRest)))
    }
    let timer = setTimeout(() => finish(false), 10 * withinMs)
    socket.on('data', (part) => {
      if (parts.push(part) > 1) return
      clearTimeout(timer)
      timer = setTimeout(() => finish(false), withinMs)
    })
    socket.on('error', () => {})
    socket.on('close', () => finish(true))
  })
}

function readRaw(all: string, closed: boolean, isRest: boolean): Record<string, unknown> {
  const end = all.indexOf('\r\n\r\n')
  if (end < 0) return { closed, body: all }
  const [line, ...rest] = all.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    rest.map((header) => [
      header.slice(0, header.indexOf(':')).toLowerCase(),
      header.slice(header.indexOf(':') + 1).trim(),
    ]),
  )
  const chunked = /chunked/i.test(headers['transfer-encoding'] ?? '')
  const text = all.slice(end + 4)
  const body = chunked ? text.replace(/^[0-9a-f]+\r\n/i, '').replace(/\r\n0\r\n[^]*$/, '') : text
  const connection = headers['connection']
  return {
    line,
    closed,
    headers: { ...keptHeaders(headers, isRest), ...(connection && { connection }) },
    body: readBody(body),
  }
}

/** A WebSocket with a queue of what it received. */
export class Socket {
  readonly queue: Json[] = []
  closed: { code: number; reason: string } | undefined
  readonly #socket: WebSocket

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.queue.push(readBody(String(data))))
    socket.on('pong', (data) => this.queue.push(`pong ${String(data)}`))
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
  }

  /** Returns an open socket, or the answer that refused it. */
  static open(url: string, headers: Record<string, string>): Promise<Socket | Answer> {
    return new Promise((done) => {
      const socket = new WebSocket(url, { headers, perMessageDeflate: false, handshakeTimeout: 5000 })
      const self = new Socket(socket)
      socket.on('open', () => done(self))
      socket.on('unexpected-response', (_, response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', () =>
          done(
            answer({
              refused: response.statusCode,
              headers: keptHeaders(response.headers, false),
              body: readBody(Buffer.concat(parts).toString()),
            }),
          ),
        )
      })
      socket.on('error', (error: NodeJS.ErrnoException) => done(answer({ error: error.code ?? 'failed' })))
    })
  }

  send(data: string | Buffer): void {
    this.#socket.send(data)
  }
  ping(text: string): void {
    this.#socket.ping(text)
  }
  close(): void {
    this.#socket.terminate()
  }
}
