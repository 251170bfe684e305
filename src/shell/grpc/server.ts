/**
 * The gRPC server, HTTP/2 without TLS. It only splits and joins messages; the core handles them and
 * determines every status and text.
 */
import {
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { createBudget, type Budget } from './budget.ts'
import { serveStream, type GrpcOptions } from './stream.ts'

export type GrpcServer = Http2Server

/** Maximum number of simultaneous calls per connection. */
const streamsMost = 1000

/** Maximum bytes of unfinished messages, per connection and in total. */
const connectionBytesMost = 64 * 2 ** 20
const bytesMost = 256 * 2 ** 20

/** Returns a server for connections that are passed to it. */
export function createGrpc(options: GrpcOptions): GrpcServer {
  const connections = new Map<Http2Session, { readonly socket: Socket; readonly budget: Budget }>()
  const all = createBudget(bytesMost)
  const server = createServer({ settings: { maxConcurrentStreams: streamsMost } })
  let connecting: Socket | undefined
  // The HTTP/2 session is created during this event, so this listener must run first.
  server.prependListener('connection', (socket: Socket) => {
    connecting = socket
  })
  server.on('session', (session) => {
    if (connecting !== undefined) {
      connections.set(session, { socket: connecting, budget: createBudget(connectionBytesMost, all) })
    }
    session.on('error', () => {})
    session.once('close', () => connections.delete(session))
  })
  server.on('unknownProtocol', (socket) => {
    socket.destroy()
  })
  server.on('sessionError', () => {})
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw?: string[]) => {
    const connection = stream.session === undefined ? undefined : connections.get(stream.session)
    if (connection === undefined) return stream.close()
    serveStream(options, { stream, headers, raw: raw ?? [], ...connection })
  })
  return server
}
