/** Stands between clients and a real node, passes everything on, and tells what was exchanged. */
import {
  createServer, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse,
} from 'node:http'
import { thrownText } from '../../errors.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { isLoopbackHost } from '../hosts.ts'
import { readBody } from '../httpBody.ts'
import { listen } from '../listen.ts'
import type { Urls } from '../server.ts'
import { attachPassing } from './proxySockets.ts'
import { ask, type Upstreams } from './upstream.ts'
import { mayWrite, writeRefusal } from './writeGuard.ts'

export type ProxyOptions = {
  readonly upstreams: Upstreams
  /** Where to listen: HOST:PORT. */
  readonly where: {
    readonly comet: string; readonly eth: string; readonly ethWs: string | undefined
  }
  /** Told of every exchange before its client is. */
  readonly note: (line: TapLine) => void
  readonly log: (text: string) => void
  /** Whether transactions are passed on; without it, to nodes on this machine. */
  readonly mayWrite?: boolean
}

export type Proxy = {
  readonly urls: Urls
  readonly nowMs: () => number; readonly close: () => Promise<void>
}

/** What the listeners of one proxy share. */
export type Passing = {
  readonly iface: 'a' | 'b'
  readonly upstream: URL | undefined
  readonly upstreamWs: URL | undefined
  readonly note: ProxyOptions['note']
  readonly log: ProxyOptions['log']
  readonly mayWrite: boolean
  /** In ms since the start. */
  readonly nowMs: () => number
  readonly connection: () => number
}

const mostBytes = 64 * 1024 * 1024

/** Resolves when every listener is open; a side without an upstream has none. */
export async function startProxy(
  { upstreams, where, note, log, mayWrite: isAllowed = false }: ProxyOptions,
): Promise<Proxy> {
  const startedAt = performance.now()
  let connections = 0
  const nowMs = () => Math.round((performance.now() - startedAt) * 10) / 10
  const shared = {
    note, log, nowMs, mayWrite: mayWrite(upstreams, isAllowed),
    connection: () => { connections += 1; return connections },
  }
  const { comet, eth, ethWs } = upstreams
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
  const wsUrl = where.ethWs === undefined || ethWs === undefined
    ? ethUrl
    : await open(b, where.ethWs)
  const socket = (url: string) => url.replace(/^http/, 'ws')
  return {
    nowMs,
    urls: {
      comet: cometUrl, cometWs: cometUrl === '' ? '' : socket(`${cometUrl}/websocket`),
      eth: eth === undefined ? '' : ethUrl,
      ethWs: ethWs === undefined ? '' : socket(wsUrl), control: '',
    },
    close: async () => {
      await Promise.all(servers.map(({ server, endSockets }) => new Promise<void>((done) => {
        server.close(() => done())
        endSockets()
        server.closeAllConnections()
      })))
    },
  }
}

const numbers = new WeakMap<object, number>()

function pass(passing: Passing, request: IncomingMessage, response: ServerResponse): void {
  const t = passing.nowMs()
  const conn = numbers.get(request.socket) ?? passing.connection()
  numbers.set(request.socket, conn)
  if (!isLoopbackHost(request.headers.host ?? '')) {
    return refuse(response, 403, 'this host is not served')
  }
  const { upstream } = passing
  if (upstream === undefined) return refuse(response, 404, 'nothing is recorded here')
  readBody({ request, response }, mostBytes, {
    tooLong: () => refuse(response, 413, 'the request is too long'),
    done: (body) => {
      void exchange({ ...passing, upstream }, { request, response, body, t, conn })
    },
  })
}

type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly body: string
  readonly t: number
  readonly conn: number
}

async function exchange(
  passing: Passing & { upstream: URL }, { request, response, body, t, conn }: Exchange,
): Promise<void> {
  const { iface, upstream, note, nowMs } = passing
  const { method = 'GET', url: path = '/', headers } = request
  const refusal = passing.mayWrite ? undefined : writeRefusal({ method, path, body })
  if (refusal !== undefined) {
    response.writeHead(
      200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' }
    )
    return void response.end(refusal)
  }
  try {
    const got = await ask(upstream, { method, path, headers, body: Buffer.from(body) })
    const res = got.body.toString('utf8')
    if (isKept(method, got.status, res)) {
      note({
        t, iface, kind: 'http', conn, method, path, req: body, status: got.status,
        headers: plain(got.headers), res, ms: Math.round((nowMs() - t) * 10) / 10,
      })
    }
    const { 'transfer-encoding': _, connection: __, 'keep-alive': ___, ...rest } = got.headers
    if (response.destroyed) return
    response.writeHead(got.status, { ...rest, 'content-length': got.body.length })
    response.end(got.body)
  } catch (error) {
    passing.log(`${iface === 'a' ? 'comet' : 'eth'}: the node did not answer: ${thrownText(error)}`)
    if (!response.headersSent) refuse(response, 502, 'the recorded node did not answer')
  }
}

/** What passes by itself is no answer: refusals for load, pages of a gateway, preflights. */
function isKept(method: string, status: number, body: string): boolean {
  if (method !== 'GET' && method !== 'POST') return false
  if ([429, 502, 503, 504].includes(status)) return false
  return /^\s*[[{]/.test(body)
}

function plain(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' })
  response.end(`chainstage record: ${text}\n`)
}
