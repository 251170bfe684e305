/** Forwards WebSocket messages between clients and a real node. */
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer, type RawData } from 'ws'
import { readTarget } from '../../rpc/comet/path.ts'
import { onUpgrade } from '../transport/handshake.ts'
import { isLoopbackHost } from '../transport/hosts.ts'
import { pathOf } from './upstream.ts'
import { isWritePath, writeRefusal } from './writeGuard.ts'
import type { Passing } from './passing.ts'

/**
 * Serves WebSocket upgrades of a server. Returns a function that ends the connections, which would
 * otherwise delay the server's close.
 */
export function attachPassing(server: Server, passing: Passing): () => void {
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false })
  const taken = new Set<Duplex>()
  let isOver = false
  const judge = ({ headers }: IncomingMessage) => (headers.upgrade?.toLowerCase() === 'websocket' ? 'upgrade' : 'plain')
  onUpgrade(server, judge, ({ request, socket, head }) => {
    const { upstreamWs } = passing
    const isServed = upstreamWs !== undefined && isLoopbackHost(request.headers.host ?? '')
    // A node that does not serve WebSockets at this path answers it as a GET request.
    const isRefused = !passing.mayWrite && isWritePath('GET', request.url ?? '/')
    if (isOver || !isServed || isRefused) return void socket.destroy()
    taken.add(socket)
    socket.on('close', () => {
      taken.delete(socket)
    })
    const up = openUpstream(upstreamWs, request.url ?? '/')
    const leave = () => up.terminate()
    socket.once('close', leave)
    up.on('error', (error) => {
      passing.unheard?.()
      if (!socket.destroyed) passing.log(`the node's WebSocket: ${error.message}`)
      socket.destroy()
    })
    up.once('open', () => {
      sockets.handleUpgrade(request, socket, head, (down) => {
        socket.off('close', leave)
        join(passing, { up, down, path: request.url ?? '/' })
      })
    })
  })
  return () => {
    isOver = true
    for (const socket of taken) socket.destroy()
  }
}

/** Opens a WebSocket to a node, at a path below that of its URL. */
export function openUpstream(upstream: URL, path: string): WebSocket {
  const url = new URL(upstream)
  const { path: route, query } = readTarget(pathOf(upstream, path))
  url.protocol = upstream.protocol.replace(/^http/, 'ws')
  url.pathname = route
  url.search = query
  return new WebSocket(url, { perMessageDeflate: false })
}

/** Codes of closes that no frame carried: without a close frame, and with an empty one (RFC 6455 §7.4.1). */
const [wasCut, hadNoCode] = [1006, 1005]

type Pair = { readonly up: WebSocket; readonly down: WebSocket; readonly path: string }

function join({ iface, note, nowMs, connection, mayWrite }: Passing, { up, down, path }: Pair): void {
  const conn = connection()
  note({ t: nowMs(), iface, kind: 'ws-open', conn, path })
  const relay = (from: WebSocket, to: WebSocket, kind: 'ws-in' | 'ws-out') => {
    from.on('message', (data: RawData, isBinary: boolean) => {
      // A node also reads JSON from binary frames.
      const text = frameText(data)
      const refusal =
        mayWrite || kind === 'ws-out' ? undefined : writeRefusal({ iface, method: 'POST', path, body: text })
      if (refusal !== undefined) return from.send(refusal)
      if (!isBinary) note({ t: nowMs(), iface, kind, conn, text })
      if (to.readyState === WebSocket.OPEN) to.send(data, { binary: isBinary })
    })
    from.on('close', (code, reason) => {
      if (to.readyState !== WebSocket.OPEN) return
      note({ t: nowMs(), iface, kind: 'ws-close', conn })
      // Clients may connect again only after a connection that broke.
      if (code === wasCut) return void to.terminate()
      if (code === hadNoCode) return void to.close()
      to.close(code, reason)
    })
    from.on('error', () => {
      to.terminate()
    })
  }
  relay(down, up, 'ws-in')
  relay(up, down, 'ws-out')
}

function frameText(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8')
}
