/**
 * WebSockets of both interfaces (`comet-rpc.md` §2.6, `cosmos-evm-rpc.md` §5.3): frames to inputs,
 * replies and pushes to frames. A reader that does not read is cut off.
 */
import { ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Side } from '../node/input.ts'
import type { Settings } from '../settings/settings.ts'
import { isAllowedHost, isTrustedOrigin, isWsOrigin } from './hosts.ts'
import type { Queue } from './queue.ts'

export type WsOptions = {
  readonly queue: Queue
  readonly settings: () => Settings
  readonly wallSeconds: () => number
}

export type Sockets = {
  /** Takes upgrade requests of a server for a side. */
  readonly attach: (server: Server, side: Side) => void
  readonly push: (connections: readonly number[], text: string) => void
  readonly close: (connection: number, code: number, reason: string) => void
  /** Ends every connection, with CometBFT's last words to subscribers of interface A. */
  readonly stop: () => void
}

/** Bytes that may wait for a reader before it is cut off. */
const waitingMost = 64 * 1024 * 1024
const pingEveryMs = 27_000
const silentMostMs = 30_000
const refusedRestMs = 5_000
const ethMessageMax = 1024 * 1024

type Open = { readonly socket: WebSocket; readonly side: Side }

/** Returns the WebSockets of a queue; connections are numbered from 1. */
export function createSockets(options: WsOptions): Sockets {
  const open = new Map<number, Open>()
  let count = 0

  function connected(socket: WebSocket, request: IncomingMessage, side: Side): void {
    const connection = ++count
    const { queue } = options
    open.set(connection, { socket, side })
    const remote = `${request.socket.remoteAddress ?? ''}:${request.socket.remotePort ?? 0}`
    queue.enter({ kind: 'connected', connection, side, remote })
    const liveness = side === 'comet' ? watch(socket) : undefined
    socket.on('message', (data) => {
      liveness?.seen()
      received(options, { socket, side, connection, request }, String(data))
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      liveness?.stop()
      open.delete(connection)
      queue.enter({ kind: 'disconnected', connection })
    })
  }

  return {
    attach: (server, side) => {
      const upgrades = new WebSocketServer({
        noServer: true, perMessageDeflate: false, clientTracking: false, handleProtocols: () => false,
        maxPayload: side === 'comet' ? options.settings().maxBodyBytes : ethMessageMax,
      })
      if (side === 'comet') {
        server.on('connect', (request: IncomingMessage, duplex: Duplex) => servePlainly(server, request, duplex))
      }
      server.on('upgrade', (request: IncomingMessage, duplex: Duplex, head: Buffer) => {
        if (side === 'comet' && !isWebSocketPath(request)) return servePlainly(server, request, duplex)
        const refusal = refused(options, request, side)
        if (refusal !== undefined) return refuse(duplex, refusal)
        upgrades.handleUpgrade(request, duplex, head, (socket) => connected(socket, request, side))
      })
      upgrades.on('wsClientError', (_error, duplex) => refuse(duplex, badRequest(options, side)))
    },
    push: (connections, text) => {
      const frame = Buffer.from(text)
      for (const connection of connections) {
        const one = open.get(connection)
        if (one !== undefined) send(one.socket, frame)
      }
    },
    close: (connection, code, reason) => {
      const one = open.get(connection)
      if (code === 1006) one?.socket.terminate()
      else one?.socket.close(code, reason)
    },
    stop: () => {
      for (const [connection, { socket, side }] of open) {
        if (side === 'comet') sayGoodbye(options.queue, connection, socket)
        socket.close(1001)
        socket.terminate()
      }
      open.clear()
    },
  }
}

type Message = { readonly socket: WebSocket; readonly side: Side; readonly connection: number; readonly request: IncomingMessage }

function received({ queue, settings }: WsOptions, { socket, side, connection, request }: Message, body: string): void {
  const { origin, host = '' } = request.headers
  queue.enter({
    kind: 'request', side, transport: 'ws', verb: 'GET', target: request.url ?? '/', contentType: '', host, origin,
    trusted: isTrustedOrigin(origin, settings()), connection, body,
  }, ({ body: text, wire }) => {
    if (wire?.type === 'reset') return socket.terminate()
    if (wire === undefined && text !== '') send(socket, Buffer.from(text))
  })
}

/** Always text frames; a reader with too much waiting for it is gone. */
function send(socket: WebSocket, frame: Buffer): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > waitingMost) return socket.terminate()
  socket.send(frame, { binary: false })
}

/** CometBFT pings, and drops a client it has not heard of for 30 seconds; client pings do not count. */
function watch(socket: WebSocket): { seen: () => void; stop: () => void } {
  const ping = setInterval(() => socket.ping(), pingEveryMs)
  let deadline = setTimeout(() => socket.terminate(), silentMostMs)
  const seen = () => {
    clearTimeout(deadline)
    deadline = setTimeout(() => socket.terminate(), silentMostMs)
  }
  socket.on('pong', seen)
  return { seen, stop: () => { clearInterval(ping); clearTimeout(deadline) } }
}

type Refusal = { readonly status: string; readonly headers: readonly string[]; readonly body: string }

function refused(options: WsOptions, request: IncomingMessage, side: Side): Refusal | undefined {
  const settings = options.settings()
  const { host = '', origin } = request.headers
  if (!isAllowedHost(host, settings)) return { status: '403 Forbidden', headers: [], body: 'Forbidden\n' }
  if (side === 'eth') {
    return isWsOrigin(origin, settings) ? undefined : { ...forbidden }
  }
  return request.method === 'GET' ? undefined : badRequest(options, side, '405 Method Not Allowed')
}

function isWebSocketPath({ url = '/' }: IncomingMessage): boolean {
  return url.split('?')[0] === '/websocket'
}

/** The node upgrades on one path only and tunnels nowhere: other wishes are not looked at. */
function servePlainly(server: Server, request: IncomingMessage, duplex: Duplex): void {
  const response = new ServerResponse(request)
  response.assignSocket(duplex as Socket)
  response.shouldKeepAlive = !/close/i.test(request.headers.connection ?? '')
  response.on('finish', () => response.shouldKeepAlive ? leave(duplex) : duplex.end())
  server.emit('request', request, response)
}

/** Nothing reads a socket whose upgrade was refused: it may rest for a while, as it does on the node. */
function leave(duplex: Duplex): void {
  setTimeout(() => duplex.destroy(), refusedRestMs).unref()
}

const forbidden: Refusal = {
  status: '403 Forbidden',
  headers: ['Content-Type: text/plain; charset=utf-8', 'Sec-WebSocket-Version: 13', 'X-Content-Type-Options: nosniff'],
  body: 'Forbidden\n',
}

function badRequest({ wallSeconds }: WsOptions, side: Side, status = '400 Bad Request'): Refusal {
  return {
    status,
    headers: [
      'Content-Type: text/plain; charset=utf-8', 'Sec-Websocket-Version: 13', 'X-Content-Type-Options: nosniff',
      ...(side === 'comet' ? [`X-Server-Time: ${wallSeconds()}`] : []),
    ],
    body: `${status.slice(4)}\n`,
  }
}

function refuse(duplex: Duplex, { status, headers, body }: Refusal): void {
  const head = [`HTTP/1.1 ${status}`, ...headers, `Content-Length: ${Buffer.byteLength(body)}`]
  duplex.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  leave(duplex)
}

/** Each subscription hears that the node is gone (`corrections-a.md` C18). */
function sayGoodbye(queue: Queue, connection: number, socket: WebSocket): void {
  const subscriptions = queue.simulation().node.subscriptions.comet.get(connection) ?? []
  for (const { id } of subscriptions) {
    send(socket, Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"Server error",` +
      '"data":"subscription was canceled (reason: CometBFT exited)"}}'))
  }
}
