/**
 * HTTP of both interfaces: bytes to inputs, replies to bytes. What a message means, and every
 * status and text, is the core's; only what has to be judged before a body is read is judged here.
 * A faster front for the common request may stand before `listener` later, and koa (dashboard)
 * behind it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Side } from '../node/input.ts'
import type { ReplyOutput } from '../node/output.ts'
import { cometError } from '../rpc/comet/errors.ts'
import { dialectOfPath } from '../rpc/dev/dialects.ts'
import { earlyRefusal } from '../rpc/comet/envelope.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import { clientOf } from './client.ts'
import { corsHeaders, openCors, preflight, type CorsRules, type Headers } from './cors.ts'
import { judgesPreflights } from '../fault/decide.ts'
import { isAllowedHost, isTrustedOrigin } from './hosts.ts'
import { readBody } from './httpBody.ts'
import {
  refuseMalformed, refuseVersion, write, writeAndClose, writeText, type Response,
} from './httpReply.ts'
import { admitAtMost } from './admission.ts'
import type { Instance } from './instance.ts'
import type { Queue } from './queue.ts'
import { BadSession, takeSession } from './sessions.ts'
import type { Tls } from './tls.ts'

export type HttpOptions = {
  readonly side: Side
  /** `sockets` serves upgrades only: interface B's second port. */
  readonly serves: 'all' | 'sockets'
  readonly queue: Queue
  readonly settings: () => Settings
  readonly wallSeconds: () => number
  readonly tls?: Tls | undefined
  /** Where `/s/NAME` leads; without it there are no sessions. Throws `BadSession`. */
  readonly session?: (name: string) => Instance
  /** Whether answers say which generation of the scenario they are of. */
  readonly tellsGeneration?: boolean
}

export type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse }

/** Of a body on interface B, in bytes (`cosmos-evm-rpc.md` §1.2). */
const ethBodyMax = 5 * 1024 * 1024

/** Go takes this much more than what is configured. */
const headerSlack = 4096

/** Returns a server for one interface; it listens when it is told to. */
export function createHttp(options: HttpOptions): Server {
  const settings = options.settings()
  const isComet = options.side === 'comet'
  const listener = listenerOf(options)
  const limits = {
    maxHeaderSize: (isComet ? settings.maxHeaderBytes : 1_048_576) + headerSlack,
    requireHostHeader: false, ...timeoutsOf(options.side, settings),
  }
  const { tls } = options
  const server = tls === undefined
    ? createServer(limits, listener)
    : createTlsServer({ ...limits, ...tls }, listener)
  // A client that waits for "100 Continue" is refused before it sends what nobody would read.
  server.on('checkContinue', listener)
  server.on('clientError', refuseMalformed)
  admitAtMost(server, isComet ? settings.maxOpenConnections : settings.ethMaxOpenConnections)
  return server
}

/** Go's time-outs: of CometBFT 10 s each (`comet-rpc.md` §2.1), of interface B as configured. */
function timeoutsOf(side: Side, { ethHttpTimeout, ethHttpIdleTimeout }: Settings) {
  const readMs = side === 'comet' ? 10_000 : Number(durationMs(ethHttpTimeout))
  const idleMs = side === 'comet' ? 10_000 : Number(durationMs(ethHttpIdleTimeout))
  return { requestTimeout: readMs, headersTimeout: readMs, keepAliveTimeout: idleMs }
}

/** Returns what answers one request; upgrades that are refused one come here too. */
export function listenerOf(options: HttpOptions): (
  request: IncomingMessage, response: ServerResponse,
) => void {
  return (request, response) => {
    const exchange = { request, response }
    tellGeneration(options, response)
    const { host } = request.headers
    if (request.httpVersionMajor !== 1) return refuseVersion(request.socket)
    if (host === undefined && request.httpVersion === '1.1') {
      return writeAndClose(exchange, text(400, '400 Bad Request: missing required Host header', []))
    }
    if (!isAllowedHost(host ?? '', options.settings()) && !isLocalSocket(request)) {
      return writeText(exchange, 403, refusedHost(host ?? ''))
    }
    const own = inSession(options, exchange)
    if (own === undefined) return
    if (own !== options) tellGeneration(own, response)
    if (options.serves === 'sockets') return onlySockets(exchange)
    if (options.side === 'comet') serveComet(own, exchange)
    else serveEth(own, exchange)
  }
}

function tellGeneration(options: HttpOptions, response: ServerResponse): void {
  for (const [name, value] of generationHeader(options)) response.setHeader(name, value)
}

/**
 * Returns the header that says which save of the scenario an answer is of, where there are saves.
 */
export function generationHeader(
  { queue, tellsGeneration }: Pick<HttpOptions, 'queue' | 'tellsGeneration'>,
): Headers {
  const { generation } = queue.simulation().progress
  return tellsGeneration === true ? [['x-chainstage-generation', String(generation)]] : []
}

/** Returns the options of the chain that a path names; undefined when the request is refused. */
function inSession(options: HttpOptions, exchange: Exchange): HttpOptions | undefined {
  if (options.session === undefined || exchange.request.url?.startsWith('/s/') !== true) {
    return options
  }
  const name = takeSession(exchange.request)
  try {
    if (name === undefined) return options
    const { queue, simulation } = options.session(name)
    return { ...options, queue, settings: () => simulation().node.settings }
  } catch (error) {
    if (!(error instanceof BadSession)) throw error
    writeText(exchange, 404, `${error.message}. ${error.hint ?? ''}\n`)
    return undefined
  }
}

/** No page can reach a Unix socket, so it does not matter what it is called. */
function isLocalSocket({ socket }: IncomingMessage): boolean {
  return socket.remoteAddress === undefined && !socket.destroyed
}

function refusedHost(host: string): string {
  return `The host "${host}" is not served here: start with --allowed-hosts ${host.replace(/:\d+$/, '')} to allow it.\n`
}

function onlySockets({ request, response }: Exchange): void {
  const [path] = (request.url ?? '/').split('?')
  if (path !== '/') return writeText({ request, response }, 404, '404 page not found\n')
  writeText({ request, response }, 400, 'Bad Request\n', [['Sec-Websocket-Version', '13']])
}

/** CometBFT reads the body before anything else, whatever the verb (`comet-rpc.md` §2.1). */
function serveComet(options: HttpOptions, exchange: Exchange): void {
  const { maxBodyBytes } = options.settings()
  readBody(exchange, maxBodyBytes, {
    done: (body) => {
      if (!answeredPreflight(options, exchange)) enter(options, exchange, { body })
    },
    tooLong: () => writeAndClose(exchange, earlyRefusal(400,
      cometError(-32600, 'error reading request body: http: request body too large'))),
  })
}

/** geth reads a body only where there may be one, and judges its length by the header. */
function serveEth(options: HttpOptions, exchange: Exchange): void {
  const { request } = exchange
  if (answeredPreflight(options, exchange)) return
  if (request.method !== 'POST' || (request.url !== '/' && !isRpcPath(request.url ?? ''))) {
    return enter(options, exchange, { body: '' })
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > ethBodyMax) {
    return writeAndClose(exchange, text(413, `content length too large (${length}>${ethBodyMax})\n`, [
      ['X-Content-Type-Options', 'nosniff'], ...corsHeaders(request, openCors),
    ]))
  }
  const done = (body: string) => enter(options, exchange, { body })
  // A length that was not announced is cut: geth then cannot parse it.
  readBody(exchange, ethBodyMax, { done, tooLong: done })
}

/** The root, and the paths that name a dialect of the controls. */
function isRpcPath(target: string): boolean {
  return /^\/(?:\?.*)?$/s.test(target) || dialectOfPath(target) !== undefined
}

function text(status: number, body: string, headers: Headers): Response {
  return { status, headers: [['Content-Type', 'text/plain; charset=utf-8'], ...headers], body }
}

function answeredPreflight(options: HttpOptions, exchange: Exchange): boolean {
  const { side, settings, wallSeconds, queue } = options
  if (exchange.request.method !== 'OPTIONS') return false
  const rules = rulesOf(side, settings())
  const headers = rules === undefined ? undefined : preflight(exchange.request, rules)
  if (headers === undefined) return false
  const time: Headers = side === 'comet' ? [[serverTimeName, String(wallSeconds())]] : []
  const allowed = { status: 204, headers: [...headers, ...time], body: '' }
  if (!judgesPreflights(queue.simulation().node.faults)) write(exchange, allowed)
  else enter(options, exchange, { body: '', allowed })
  return true
}

/** `allowed` is what a page is told that may call, unless the core says otherwise. */
type Entering = { readonly body: string; readonly allowed?: Response }

function enter(options: HttpOptions, exchange: Exchange, { body, allowed }: Entering): void {
  const { side, queue, settings } = options
  const { method = 'GET', url = '/', headers } = exchange.request
  const { origin, host = '' } = headers
  const { active } = queue.simulation().node.faults
  queue.enter({
    kind: 'request', side, transport: 'http', verb: method, target: url,
    contentType: headers['content-type'] ?? '', host, origin,
    trusted: isTrustedOrigin(origin, settings()), connection: undefined, body,
    ...(active.length === 0 ? {} : { client: clientOf(exchange.request, active) }),
  }, (reply) => {
    const isAllowed = allowed !== undefined && reply.status === allowed.status
    write(exchange, isAllowed ? allowed : withEdges(options, exchange, reply), reply.wire)
  })
}

const serverTimeName = 'X-Server-Time'

function rulesOf(
  side: Side, { corsAllowedOrigins, corsAllowedMethods, corsAllowedHeaders }: Settings,
): CorsRules | undefined {
  if (side === 'eth') return openCors
  if (corsAllowedOrigins.length === 0) return undefined
  return { origins: corsAllowedOrigins, methods: corsAllowedMethods, headers: corsAllowedHeaders }
}

/** Fills in the clock, and adds the CORS headers unless the core wrote them or wants none. */
function withEdges(
  { side, settings, wallSeconds }: HttpOptions, { request }: Exchange, reply: ReplyOutput,
): Response {
  const { status, body } = reply
  const headers = reply.headers.map(
    ([name, value]) => [name, name === serverTimeName ? String(wallSeconds()) : value] as const
  )
  const rules = reply.cors === 'strip' || headers.some(([name]) => name === 'Vary')
    ? undefined
    : rulesOf(side, settings())
  return {
    status, body,
    headers: rules === undefined ? headers : [...headers, ...corsHeaders(request, rules)],
  }
}
