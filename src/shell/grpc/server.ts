/**
 * The gRPC server: HTTP/2 without TLS. It takes messages apart and puts them together; what they
 * mean, and every status and text, is the core's.
 */
import {
  createServer,
  type Http2Server,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import { serveStream, type GrpcOptions } from './stream.ts'

export type GrpcServer = Http2Server

/** Calls at one time on each connection. */
const streamsMost = 1000

/** Returns a server that serves the connections it is given. */
export function createGrpc(options: GrpcOptions): GrpcServer {
  const sockets = new Map<Http2Session, Socket>()
  const server = createServer({ settings: { maxConcurrentStreams: streamsMost } })
  let connecting: Socket | undefined
  // The session of a connection begins while this event is told.
  server.prependListener('connection', (socket: Socket) => {
    connecting = socket
  })
  server.on('session', (session) => {
    if (connecting !== undefined) sockets.set(session, connecting)
    session.on('error', () => {})
    session.once('close', () => sockets.delete(session))
  })
  server.on('unknownProtocol', (socket) => {
    socket.destroy()
  })
  server.on('sessionError', () => {})
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, _flags: number, raw?: string[]) => {
    const socket = stream.session === undefined ? undefined : sockets.get(stream.session)
    if (socket === undefined) return stream.close()
    serveStream(options, { stream, headers, raw: raw ?? [], socket })
  })
  return server
}
