/**
 * HTTP of both interfaces: bytes to inputs, replies to bytes. What a message means, and every status
 * and text, is the core's; only limits that are judged from headers alone are judged here.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Side } from '../node/input.ts'
import type { ReplyOutput } from '../node/output.ts'
import type { Settings } from '../settings/settings.ts'
import { corsHeaders, openCors, preflight, type CorsRules, type Headers } from './cors.ts'
import { isAllowedHost, isTrustedOrigin } from './hosts.ts'
import type { Queue } from './queue.ts'

export type HttpOptions = {
  readonly side: Side
  readonly queue: Queue
  readonly settings: () => Settings
  readonly wallSeconds: () => number
}

const ethBodyMax = 5 * 1024 * 1024

/** Returns a server for one interface; it listens when it is told to. */
export function createHttp(options: HttpOptions): Server {
  const { maxHeaderBytes, maxOpenConnections, ethMaxOpenConnections } = options.settings()
  const server = createServer({ maxHeaderSize: maxHeaderBytes, keepAlive: true, requireHostHeader: false }, listener(options))
  const most = options.side === 'comet' ? maxOpenConnections : ethMaxOpenConnections
  if (most > 0) server.maxConnections = most
  return server
}

function listener(options: HttpOptions): RequestListener {
  return (request, response) => {
    const settings = options.settings()
    const host = request.headers.host
    if (host === undefined && request.httpVersion === '1.1') {
      return plain(response, 400, '400 Bad Request: missing required Host header')
    }
    if (!isAllowedHost(host ?? '', settings)) {
      return plain(response, 403, `The host ${host} is not served here: add it with --allowed-hosts.\n`)
    }
    const most = options.side === 'comet' ? settings.maxBodyBytes : ethBodyMax
    const length = Number(request.headers['content-length'] ?? 0)
    if (options.side === 'eth' && length > most) return tooLong(request, response, length)
    readBody(request, most, (body) => serve(options, { request, response, body }))
  }
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' }).end(text)
}

/** geth refuses from the headers alone and closes (`corrections-b.md` 2). */
function tooLong(request: IncomingMessage, response: ServerResponse, length: number): void {
  response.writeHead(413, {
    'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff', Vary: 'Origin', Connection: 'close',
  }).end(`content length too large (${length}>${ethBodyMax})\n`)
  request.resume()
}

/** Reads a whole body; one byte more than allowed is enough for the core to see that it is too long. */
function readBody(request: IncomingMessage, most: number, done: (body: string) => void): void {
  const parts: Buffer[] = []
  let size = 0
  request.on('data', (part: Buffer) => {
    if (size <= most) parts.push(part)
    size += part.length
  })
  request.on('end', () => done((parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)).toString('utf8')))
  request.on('error', () => {})
}

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse; readonly body: string }

function serve(options: HttpOptions, exchange: Exchange): void {
  const { side, queue, settings } = options
  const { request, response, body } = exchange
  const rules = rulesOf(side, settings())
  const wanted = rules === undefined ? undefined : preflight(request, rules)
  if (wanted !== undefined) return write(options, exchange, { status: 204, headers: [...wanted, ...stamp(side)], body: '' })
  const origin = request.headers.origin
  const onReply = (reply: ReplyOutput) => answer(options, exchange, reply)
  response.on('close', () => { if (!response.writableEnded) queue.forget(onReply) })
  queue.enter({
    kind: 'request', side, transport: 'http', verb: request.method ?? 'GET', target: request.url ?? '/',
    contentType: request.headers['content-type'] ?? '', host: request.headers.host ?? '', origin,
    trusted: isTrustedOrigin(origin, settings()), connection: undefined, body,
  }, onReply)
}

const serverTimeName = 'X-Server-Time'

function stamp(side: Side): Headers {
  return side === 'comet' ? [[serverTimeName, '']] : []
}

function rulesOf(side: Side, settings: Settings): CorsRules | undefined {
  if (side === 'eth') return openCors
  const { corsAllowedOrigins: origins, corsAllowedMethods: methods, corsAllowedHeaders: headers } = settings
  return origins.length === 0 ? undefined : { origins, methods, headers }
}

function answer(options: HttpOptions, exchange: Exchange, reply: ReplyOutput): void {
  const { side, settings } = options
  const rules = rulesOf(side, settings())
  const cors = rules === undefined || reply.cors === 'strip' ? [] : corsHeaders(exchange.request, rules)
  const { wire } = reply
  if (wire?.type === 'hang') return
  if (wire?.type === 'reset') return reset(exchange, reply, wire.when)
  write(options, exchange, { status: reply.status, headers: [...reply.headers, ...cors], body: reply.body })
}

function write({ wallSeconds }: HttpOptions, { request, response }: Exchange, reply: { status: number; headers: Headers; body: string }): void {
  if (response.destroyed) return
  for (const [name, value] of reply.headers) {
    response.setHeader(name, name === serverTimeName ? String(wallSeconds()) : value)
  }
  response.statusCode = reply.status
  if (reply.status !== 204 && request.method !== 'HEAD') response.setHeader('Content-Length', Buffer.byteLength(reply.body))
  response.end(request.method === 'HEAD' ? undefined : reply.body)
}

/** Cuts the connection: before anything is sent, in the middle of the body, or right after it. */
function reset({ request, response }: Exchange, { status, body }: ReplyOutput, when: 'beforeHeaders' | 'midBody' | 'afterBody'): void {
  if (when === 'beforeHeaders') return void request.socket.resetAndDestroy()
  const bytes = Buffer.from(body)
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': when === 'midBody' ? bytes.length : bytes.length + 1 })
  response.write(when === 'midBody' ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes, () => request.socket.resetAndDestroy())
}
