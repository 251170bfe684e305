/**
 * HTTP servers of the interfaces: they turn requests into inputs and replies into responses. The
 * core interprets messages and determines every status and text. This module makes only the checks
 * that must happen before a body is read.
 */
import { ethBodyMax, tooLargeText } from '../rpc/eth/side.ts'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Side } from '../settings/side.ts'
import type { InputBody } from '../plan/input.ts'
import { cometError } from '../rpc/comet/errors.ts'
import { dialectOfPath } from '../rpc/devDialects.ts'
import { earlyRefusal } from '../rpc/comet/envelope.ts'
import type { Settings } from '../settings/settings.ts'
import { closeOnlySilent } from './afterReading.ts'
import { clientFor, toolOf } from './transport/client.ts'
import { corsHeaders, corsRulesOf, openCors, preflight, type Headers } from './transport/cors.ts'
import { serverTimeName, withEdges } from './transport/edges.ts'
import { judgesPreflights } from '../fault/decide.ts'
import { refusedEarly } from './transport/earlyRefusals.ts'
import { generationHeader } from './transport/generation.ts'
import { gatewayHeaders, isGrpcWeb } from './transport/gateway.ts'
import { isAllowedHost, isCrossSite, isLocalSocket, refusedHost, takeAuthority } from './transport/hosts.ts'
import { putFront } from './transport/front/front.ts'
import { readBody, readBytes } from './transport/httpBody.ts'
import type { HttpExchange } from './transport/httpExchange.ts'
import { refuseUnreadable, write, writeAndClose, writeText, type Response } from './transport/httpReply.ts'
import { admitAtMost } from './transport/admission.ts'
import type { Metrics } from './metrics/metrics.ts'
import { withRestMetrics } from './metrics/restMetrics.ts'
import type { Queue, Sinks } from './queue.ts'
import { BadSession, sessionFor, takeSession, type Sessions } from './sessions.ts'
import { idsOf, noIds, stoppedReply, type Ids } from './stopped.ts'
import type { Tls } from './transport/tls.ts'
import { connectionsOf, timeoutsOf } from './transport/httpLimits.ts'

export type HttpOptions = {
  readonly side: Side
  /** `sockets` serves WebSockets only: the second port of Ethereum JSON-RPC. */
  readonly serves: 'all' | 'sockets'
  readonly queue: Queue
  readonly settings: () => Settings
  readonly wallSeconds: () => number
  readonly log: Sinks['log']
  readonly tls?: Tls | undefined
  /** The sessions under `/s/NAME`. */
  readonly sessions?: Sessions
  /** Whether responses name the generation of the scenario in a header. */
  readonly tellsGeneration?: boolean
  /** The metrics that the REST API serves at `/metrics` when telemetry is on. */
  readonly metrics?: Metrics | undefined
  /** Whether the front serves what it can (default true); false leaves everything to node:http. */
  readonly hasFront?: boolean
}

/** Go accepts this many bytes of headers more than the configured limit. */
const headerSlack = 4096

/** Returns an HTTP server for one interface; the caller makes it listen. */
export function createHttp(options: HttpOptions): Server {
  const settings = options.settings()
  const listener = listenerOf(options)
  const limits = {
    maxHeaderSize: (options.side === 'comet' ? settings.maxHeaderBytes : 1_048_576) + headerSlack,
    requireHostHeader: false,
    // Without this, node:http enforces its timeouts every 30 seconds only.
    connectionsCheckingInterval: 1000,
    ...timeoutsOf(options.side, settings),
  }
  const { tls } = options
  const server = tls === undefined ? createServer(limits, listener) : createTlsServer({ ...limits, ...tls }, listener)
  // A client that waits for "100 Continue" is refused before it sends an unwanted body.
  server.on('checkContinue', listener)
  closeOnlySilent(server)
  refuseUnreadable(server)
  const isFronted = tls === undefined && options.serves === 'all'
  if (isFronted && options.hasFront !== false) putFront(server, servingOf(options))
  admitAtMost(server, connectionsOf(options.side, settings))
  return server
}

/** Returns the listener of node:http; it also answers upgrade requests that are served as plain ones. */
export function listenerOf(options: HttpOptions): (request: IncomingMessage, response: ServerResponse) => void {
  const serve = servingOf(options)
  return (request, response) => {
    if (refusedEarly(request)) return
    takeAuthority(request)
    serve({ request, response })
  }
}

function servingOf(options: HttpOptions): (exchange: HttpExchange) => void {
  // Clients send the same host with every request, so the last check is cached.
  let known = { host: '', allowed: [] as readonly string[] }
  const isAllowed = (host: string): boolean => {
    const settings = options.settings()
    if (host === known.host && settings.allowedHosts === known.allowed) return true
    const isServed = isAllowedHost(host, settings)
    if (isServed) known = { host, allowed: settings.allowedHosts }
    return isServed
  }
  return (exchange) => {
    const { request } = exchange
    const { host } = request.headers
    tellGeneration(options, exchange)
    if (!isAllowed(host ?? '') && !isLocalSocket(request)) {
      return writeText(exchange, 403, refusedHost(host ?? ''))
    }
    const own = inSession(options, exchange)
    if (own === undefined) return
    if (own !== options) tellGeneration(own, exchange)
    if (options.serves === 'sockets') return onlySockets(exchange)
    if (options.side === 'rest' && isGrpcWeb(request, own.settings())) serveGrpcWeb(own, exchange)
    else if (options.side === 'eth') serveEth(own, exchange)
    else serveAnyBody(own, exchange)
  }
}

function tellGeneration(options: HttpOptions, exchange: HttpExchange): void {
  const response = exchange.front ?? exchange.response
  for (const [name, value] of generationHeader(options)) response.setHeader(name, value)
}

/** Returns the options of the chain in a request's path; undefined if it answered the request. */
function inSession(options: HttpOptions, exchange: HttpExchange): HttpOptions | undefined {
  const { sessions } = options
  const { request } = exchange
  const name = sessions === undefined ? undefined : takeSession(request)
  if (sessions === undefined || name === undefined) return options
  try {
    const { queue, simulation } = sessionFor(sessions, name, {
      request,
      opensSocket: false,
      settings: options.settings(),
    })
    return {
      ...options,
      queue,
      settings: () => simulation().node.settings,
      metrics: undefined,
    }
  } catch (error) {
    if (!(error instanceof BadSession)) throw error
    // A preflight may precede the POST that creates a session.
    const allowed = preflightOf(options, exchange)
    if (allowed !== undefined) write(exchange, allowed)
    else writeText(exchange, 404, error.text)
    return undefined
  }
}

function onlySockets(exchange: HttpExchange): void {
  const [path] = (exchange.request.url ?? '/').split('?')
  if (path !== '/') return writeText(exchange, 404, '404 page not found\n')
  writeText(exchange, 400, 'Bad Request\n', [['Sec-Websocket-Version', '13']])
}

/**
 * Reads the body first, for any HTTP method, as CometBFT's server does (`comet-rpc.md` §2.1). The
 * REST API uses the same server.
 */
function serveAnyBody(options: HttpOptions, exchange: HttpExchange): void {
  const { maxBodyBytes, apiMaxBodyBytes } = options.settings()
  readBody(exchange, options.side === 'rest' ? apiMaxBodyBytes : maxBodyBytes, {
    done: (body) => {
      if (!answeredPreflight(options, exchange)) enter(options, exchange, { body })
    },
    tooLong: () =>
      writeAndClose(
        exchange,
        earlyRefusal(400, cometError(-32600, 'error reading request body: http: request body too large')),
      ),
  })
}

/** Serves gRPC-web. The limit is that of HTTP/2, doubled: base64 text is a third longer. */
function serveGrpcWeb(options: HttpOptions, exchange: HttpExchange): void {
  const { headers } = exchange.request
  readBytes(exchange, options.settings().grpcMaxRecvMsgSize * 2, (bytes) => {
    enter({ ...options, side: 'grpc' }, exchange, {
      body: '',
      bytes,
      headers: { ...gatewayHeaders(headers), ':protocol': 'grpc-web' },
    })
  })
}

/** Reads the body of POST requests only and checks `Content-Length` first, as geth does. */
function serveEth(options: HttpOptions, exchange: HttpExchange): void {
  const { request } = exchange
  if (answeredPreflight(options, exchange)) return
  if (request.method !== 'POST' || (request.url !== '/' && !isRpcPath(request.url ?? ''))) {
    return enter(options, exchange, { body: '' })
  }
  const length = Number(request.headers['content-length'] ?? 0)
  if (length > ethBodyMax) {
    return writeAndClose(exchange, tooLarge(length, corsHeaders(request, openCors)))
  }
  const done = (body: string) => enter(options, exchange, { body })
  // geth truncates a body without Content-Length at the limit and then fails to parse it.
  readBody(exchange, ethBodyMax, { done, tooLong: done })
}

/** Returns whether a path is the root or names a dialect, like `/hardhat`. */
function isRpcPath(target: string): boolean {
  return /^\/(?:\?.*)?$/s.test(target) || dialectOfPath(target) !== undefined
}

function tooLarge(length: number, cors: Headers): Response {
  const plain: Headers = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
  ]
  return { status: 413, headers: [...plain, ...cors], body: tooLargeText(length) }
}

function answeredPreflight(options: HttpOptions, exchange: HttpExchange): boolean {
  const allowed = preflightOf(options, exchange)
  if (allowed === undefined) return false
  if (!judgesPreflights(options.queue.simulation().node.faults)) write(exchange, allowed)
  else enter(options, exchange, { body: '', allowed })
  return true
}

/** Returns the response to a preflight; undefined for other requests or without CORS rules. */
function preflightOf({ side, settings, wallSeconds }: HttpOptions, { request }: HttpExchange): Response | undefined {
  if (request.method !== 'OPTIONS') return undefined
  const rules = corsRulesOf(side, settings())
  const headers = rules === undefined ? undefined : preflight(request, rules)
  if (headers === undefined) return undefined
  const time: Headers = side === 'comet' ? [[serverTimeName, String(wallSeconds())]] : []
  return { status: 204, headers: [...headers, ...time], body: '' }
}

/** `allowed` is the response to an allowed preflight, unless the core returns another status. */
type Entering = {
  readonly body: string
  readonly allowed?: Response
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

function enter(options: HttpOptions, exchange: HttpExchange, { body, allowed, bytes, headers: given }: Entering): void {
  const { side, queue, settings } = options
  const { method = 'GET', url = '/', headers } = exchange.request
  const request: InputBody = {
    kind: 'request',
    side,
    transport: 'http',
    verb: method,
    target: url,
    contentType: headers['content-type'] ?? '',
    host: headers.host ?? '',
    origin: headers.origin,
    trusted: !isCrossSite(headers, settings()),
    connection: undefined,
    body,
  }
  const more = {
    ...(side === 'rest' ? { headers: gatewayHeaders(headers) } : {}),
    ...(side === 'eth' ? toolOf(exchange.request) : {}),
    ...(bytes && { bytes }),
    ...(given && { headers: given }),
    ...clientFor(exchange.request, queue.simulation().node.faults),
  }
  // Only a fault leaves a request unanswered. Its handler keeps the ids alone, not the body.
  const ids = queue.simulation().node.faults.active.length > 0 ? idsOf(request) : noIds
  queue.enter(isEmpty(more) ? request : { ...request, ...more }, (reply) => {
    const isAllowed = allowed !== undefined && reply.status === allowed.status
    const answer = withRestMetrics(options, exchange.request, reply)
    write(exchange, isAllowed ? allowed : withEdges(options, exchange.request, answer), reply.wire)
    if (reply.wire?.type === 'hang') answerAtStop(options, exchange, ids)
  })
}

/** Answers a request that a fault leaves unanswered when its chain stops. */
function answerAtStop(options: HttpOptions, exchange: HttpExchange, ids: Ids): void {
  const { request } = exchange
  const forget = options.queue.onStop(() => write(exchange, withEdges(options, request, stoppedReply(ids))))
  request.socket.once('close', forget)
}

function isEmpty(object: object): boolean {
  for (const _ in object) return false
  return true
}
