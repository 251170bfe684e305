/** A proxy that forwards all traffic between clients and a real node, and reports the exchanges. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { thrownText } from '../../errors.ts'
import { isLoopbackHost } from '../transport/hosts.ts'
import { readBody } from '../transport/httpBody.ts'
import { listen } from '../transport/listen.ts'
import { passGrpc } from './proxyGrpc.ts'
import { attachPassing } from './proxySockets.ts'
import { ask, earlyOf, isOfGateway } from './upstream.ts'
import { mayWrite, writeRefusal } from './writeGuard.ts'
import type { Urls } from '../urls.ts'
import type { Passing, ProxyOptions } from './passing.ts'
import { sideOfTap, type TapInterface } from '../../recording/playback/tapLine.ts'

export type Proxy = {
  readonly urls: Urls
  readonly nowMs: () => number
  readonly close: () => Promise<void>
}

const mostBytes = 64 * 1024 * 1024

/** Resolves when all listeners are open; a side without an upstream has none. */
export async function startProxy({
  upstreams,
  where,
  note,
  log,
  unheard,
  mayWrite: isAllowed = false,
}: ProxyOptions): Promise<Proxy> {
  const startedAt = performance.now()
  let connections = 0
  const unkept = new Set<string>()
  const nowMs = () => Math.round((performance.now() - startedAt) * 10) / 10
  const shared = {
    note,
    log,
    unheard,
    nowMs,
    mayWrite: mayWrite(upstreams, isAllowed),
    connection: () => {
      connections += 1
      return connections
    },
    unkept: (iface: TapInterface, why: string) => {
      const text = `${sideOfTap(iface)}: ${why} is not recorded`
      if (!unkept.has(text)) log(text)
      unkept.add(text)
    },
  }
  const { comet, eth, ethWs, rest, grpc } = upstreams
  const servers: { readonly server: Server; readonly endSockets: () => void }[] = []
  const open = async (passing: Passing, at: string) => {
    const server = createServer((request, response) => pass(passing, request, response))
    servers.push({ server, endSockets: attachPassing(server, passing) })
    return listen(server, at)
  }
  const a: Passing = { ...shared, iface: 'a', upstream: comet, upstreamWs: comet }
  const b: Passing = { ...shared, iface: 'b', upstream: eth, upstreamWs: ethWs }
  const cometUrl = comet === undefined ? '' : await open(a, where.comet)
  const ethUrl = eth === undefined && ethWs === undefined ? '' : await open(b, where.eth)
  const wsUrl = where.ethWs === undefined || ethWs === undefined ? ethUrl : await open(b, where.ethWs)
  const c: Passing = { ...shared, iface: 'c', upstream: rest, upstreamWs: undefined }
  const restUrl = rest === undefined ? '' : await open(c, where.rest ?? '127.0.0.1:0')
  const passingGrpc =
    grpc === undefined ? undefined : await passGrpc({ ...shared, upstream: grpc }, where.grpc ?? '127.0.0.1:0')
  const socket = (url: string) => url.replace(/^http/, 'ws')
  return {
    nowMs,
    urls: {
      comet: cometUrl,
      cometWs: cometUrl === '' ? '' : socket(`${cometUrl}/websocket`),
      eth: eth === undefined ? '' : ethUrl,
      ethWs: ethWs === undefined ? '' : socket(wsUrl),
      rest: restUrl,
      grpc: passingGrpc?.address ?? '',
      control: '',
      metrics: '',
    },
    close: async () => {
      passingGrpc?.close()
      await Promise.all(
        servers.map(
          ({ server, endSockets }) =>
            new Promise<void>((done) => {
              server.close(() => done())
              endSockets()
              server.closeAllConnections()
            }),
        ),
      )
    },
  }
}

const numbers = new WeakMap<object, number>()

function pass(passing: Passing, request: IncomingMessage, response: ServerResponse): void {
  const t = passing.nowMs()
  const conn = numbers.get(request.socket) ?? passing.connection()
  numbers.set(request.socket, conn)
  if (!isLoopbackHost(request.headers.host ?? '')) {
    return refuse(response, 403, 'this host is not allowed')
  }
  const { upstream } = passing
  if (upstream === undefined) return refuse(response, 404, 'this path is not recorded')
  readBody({ request, response }, mostBytes, {
    tooLong: () => refuse(response, 413, 'the request is too long'),
    done: (body) => {
      void exchange({ ...passing, upstream }, { request, response, body, t, conn })
    },
  })
}

type ProxiedExchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
  readonly t: number
  readonly conn: number
}

async function exchange(
  passing: Passing & { upstream: URL },
  { request, response, body, t, conn }: ProxiedExchange,
): Promise<void> {
  const { iface, upstream, note, nowMs } = passing
  const { method = 'GET', url: path = '/', headers } = request
  const refusal = passing.mayWrite ? undefined : writeRefusal({ iface, method, path, body })
  const at = headers['x-cosmos-block-height'] ?? headers['grpc-metadata-x-cosmos-block-height']
  if (refusal !== undefined) {
    response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' })
    return void response.end(refusal)
  }
  try {
    const got = await ask(upstream, { method, path, headers, body: Buffer.from(body) })
    const res = got.body.toString('utf8')
    const unkept = whyUnkept(method, got.status, res)
    if (unkept === undefined) {
      note({
        t,
        iface,
        kind: 'http',
        conn,
        method,
        path,
        req: body,
        status: got.status,
        headers: plain(got.headers),
        res,
        ...(iface === 'c' && typeof at === 'string' ? { at } : {}),
        ...(iface === 'c' ? earlyOf(got) : {}),
        ms: Math.round((nowMs() - t) * 10) / 10,
      })
    } else if (method !== 'OPTIONS') {
      passing.unheard?.()
      passing.unkept(iface, unkept)
    }
    // The answer has a length, and thus no trailers, which a REST API announces with an error.
    const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, trailer: ____, ...rest } = got.headers
    if (response.destroyed) return
    response.writeHead(got.status, { ...rest, 'content-length': got.body.length })
    response.end(got.body)
  } catch (error) {
    passing.unheard?.()
    passing.log(`${sideOfTap(iface)}: the node did not respond: ${thrownText(error)}`)
    if (!response.headersSent) refuse(response, 502, 'the recorded node did not respond')
  }
}

/** Returns what is not recorded of an exchange: rate limiting, gateway pages, preflights. Undefined if it is recorded. */
function whyUnkept(method: string, status: number, body: string): string | undefined {
  if (method !== 'GET' && method !== 'POST') return 'a request that is neither GET nor POST'
  if (isOfGateway(status)) return `a response with HTTP status ${status}`
  return /^\s*[[{]/.test(body) ? undefined : 'a response that is not JSON'
}

function plain(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' })
  response.end(`chainstage record: ${text}\n`)
}
