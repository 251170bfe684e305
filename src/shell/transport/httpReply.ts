/** Sends replies as HTTP responses and applies transport faults to them (design §5). */
import { STATUS_CODES, type Server } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { brokenReplyOf, type WireEffect } from '../../fault/wire.ts'
import { ifStillSilent } from '../afterReading.ts'
import { sendBroken } from './brokenReply.ts'
import type { Headers } from './cors.ts'
import type { HttpAnswering, HttpExchange } from './httpExchange.ts'

export type Response = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** A binary body, which replaces `body`. */
  readonly bytes?: Uint8Array
  /** Sent after the body, which then has no `Content-Length`. */
  readonly trailers?: Headers
}

/** How long a refused client may continue to send before its connection is cut, as in Go. */
const lingerMs = 500

/** Status texts of Go that differ from node's. */
const goPhrases: Readonly<Record<number, string>> = { 413: 'Request Entity Too Large' }

let date = { second: 0, text: '' }

/** Returns the `Date` header, formatted once a second. Go sends it before `Content-Length`. */
export function httpDate(): string {
  const second = Math.floor(Date.now() / 1000)
  if (second !== date.second) date = { second, text: new Date(second * 1000).toUTCString() }
  return date.text
}

/** Sends a reply, or applies the effect of a fault to the connection. */
export function write(exchange: HttpExchange, reply: Response, wire?: WireEffect): void {
  if (exchange.front !== undefined) {
    if (exchange.request.socket.destroyed) return
    const { status, headers, body, bytes, trailers } = reply
    const isOrdinary = wire === undefined && bytes === undefined && trailers === undefined
    if (isOrdinary && exchange.front.send(status, headers, body)) return
  }
  const answering = answeringOf(exchange)
  const { request, response } = answering
  if (response.destroyed || response.headersSent) return
  if (wire !== undefined && wire.type !== 'empty') return sendBroken(answering, reply, brokenReplyOf(wire))
  const { status, headers, trailers } = reply
  const body = reply.bytes ?? reply.body
  // Go sends neither Connection nor Keep-Alive on HTTP/1.1 unless the connection ends.
  if (response.shouldKeepAlive && request.httpVersion === '1.1') response.removeHeader('Connection')
  if (request.httpVersion === '1.0' && !response.shouldKeepAlive) {
    return writeOld(answering, reply, [...headers, ['Date', httpDate()]])
  }
  const lines = flat(headers)
  lines.push('Date', httpDate())
  if (status !== 204 && trailers === undefined) lines.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, lines)
  if (trailers !== undefined) response.addTrailers(Object.fromEntries(trailers))
  response.end(request.method === 'HEAD' ? undefined : body)
}

function answeringOf(exchange: HttpExchange): HttpAnswering {
  if (exchange.front === undefined) return exchange
  return { request: exchange.request, response: exchange.front.response() }
}

/** Answers as HTTP/1.0 and closes without a `Connection` header, as Go does; node says 1.1. */
function writeOld({ request, response }: HttpAnswering, { status, body, bytes }: Response, headers: Headers): void {
  const content = Buffer.from(bytes ?? body)
  const all: Headers = [...headers, ['Content-Length', String(content.length)]]
  const head = all.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const line = `HTTP/1.0 ${status} ${STATUS_CODES[status] ?? ''}\r\n`
  response.socket?.write(`${line}${head}\r\n`)
  response.socket?.end(request.method === 'HEAD' ? '' : content)
}

/**
 * Sends a reply and closes the connection, even if the client has not sent its whole body. The front
 * leaves that to node:http.
 */
export function writeAndClose(exchange: HttpExchange, { status, headers, body }: Response): void {
  if (exchange.front !== undefined) return exchange.front.handOver()
  const { request, response } = exchange
  const { socket } = request
  response.shouldKeepAlive = false
  // node:http would close the socket now. With unread input that is a reset, which can reach the
  // client before the reply.
  socket.destroySoon = () => void socket.end()
  const ending: Headers = [
    ['Date', httpDate()],
    ['Content-Length', String(Buffer.byteLength(body))],
    ['Connection', 'close'],
  ]
  response.writeHead(status, goPhrases[status] ?? STATUS_CODES[status] ?? '', flat([...headers, ...ending]))
  response.end(body)
  request.resume()
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.once('close', () => clearTimeout(timer))
}

/** Sends a plain text. */
export function writeText(exchange: HttpExchange, status: number, body: string, headers: Headers = []): void {
  write(exchange, {
    status,
    body,
    headers: [['Content-Type', 'text/plain; charset=utf-8'], ['X-Content-Type-Options', 'nosniff'], ...headers],
  })
}

/** Answers malformed HTTP as Go does, and closes the connection. */
export function refuseMalformed(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  refuseRaw(socket, statusOf(error))
}

/** Makes a server refuse what node:http cannot read, and new connections that stay silent. */
export function refuseUnreadable(server: Server): void {
  server.on('clientError', (error, socket) => {
    const refuse = () => refuseMalformed(error, socket)
    if (socket instanceof Socket && socket.bytesRead === 0) ifStillSilent(socket, refuse)
    else refuse()
  })
}

/** Answers a request with an unsupported HTTP version, which node parses. */
export function refuseVersion(socket: Duplex): void {
  refuseRaw(socket, '505 HTTP Version Not Supported: unsupported protocol version')
}

/** Answers a request that Go refuses before any handler runs; the status line has the reason. */
export function refuseRaw(socket: Duplex, status: string): void {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n`
  socket.end(head + status)
  setTimeout(() => socket.destroy(), lingerMs).unref()
}

function statusOf({ code }: Error & { code?: string }): string {
  if (code === 'HPE_HEADER_OVERFLOW') return `431 ${STATUS_CODES[431]}`
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return `408 ${STATUS_CODES[408]}`
  return code === 'HPE_INVALID_VERSION'
    ? '505 HTTP Version Not Supported: unsupported protocol version'
    : '400 Bad Request'
}

function flat(headers: Headers): string[] {
  const lines: string[] = []
  for (const [name, value] of headers) lines.push(name, value)
  return lines
}
