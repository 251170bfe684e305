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
import { createBudget, type Budget } from './budget.ts'
import { serveStream, type GrpcOptions } from './stream.ts'

export type GrpcServer = Http2Server

/** Calls at one time on each connection. */
const streamsMost = 1000

/** Bytes of unfinished messages, on one connection and on all of them. */
const connectionBytesMost = 64 * 2 ** 20
const bytesMost = 256 * 2 ** 20

/** Returns a server that serves the connections it is given. */
export function createGrpc(options: GrpcOptions): GrpcServer {
  const connections = new Map<Http2Session, { readonly socket: Socket; readonly budget: Budget }>()
  const all = createBudget(bytesMost)
  const server = createServer({ settings: { maxConcurrentStreams: streamsMost } })
  let connecting: Socket | undefined
  // The session of a connection begins while this event is told.
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
