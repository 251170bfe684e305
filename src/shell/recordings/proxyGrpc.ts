/** A gRPC proxy that forwards calls to a real node, and reports the exchanges of unary calls. */
import {
  type ClientHttp2Session,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import { isLoopbackHost } from '../transport/hosts.ts'
import { listen } from '../transport/listen.ts'
import { mostBytes, readExchange } from './grpcExchange.ts'
import type { Passing } from './passing.ts'
import { isWritePath } from './writeGuard.ts'

type GrpcPassing = Omit<Passing, 'iface' | 'upstream' | 'upstreamWs'> & { readonly upstream: URL }

const { HTTP2_HEADER_PATH, NGHTTP2_INTERNAL_ERROR } = constants
const [permissionDenied, unavailable] = ['7', '14']
const hopByHop = [':authority', ':scheme', 'host', 'connection']

/**
 * Resolves with the address of a listener that forwards to `upstream`, and a function to close it.
 */
export async function passGrpc(
  passing: GrpcPassing,
  at: string,
): Promise<{ readonly address: string; readonly close: () => void }> {
  let up: ClientHttp2Session | undefined
  const upstream = (): ClientHttp2Session => {
    if (up === undefined || up.closed || up.destroyed) {
      const protocol = passing.upstream.protocol === 'https:' ? 'https:' : 'http:'
      up = connect(`${protocol}//${passing.upstream.host}`)
      up.on('error', (error) => {
        passing.unheard?.()
        passing.log(`grpc: the node did not respond: ${error.message}`)
      })
    }
    return up
  }
  const sessions = new Set<ServerHttp2Session>()
  const server = createServer()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('error', () => {})
    session.once('close', () => sessions.delete(session))
  })
  server.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
    stream.on('error', () => {})
    pass(passing, upstream, { stream, headers })
  })
  const url = await listen(server, at)
  return {
    address: url.replace(/^http:\/\//, ''),
    close: () => {
      for (const session of sessions) session.destroy()
      up?.destroy()
      server.close()
    },
  }
}

type Coming = { readonly stream: ServerHttp2Stream; readonly headers: IncomingHttpHeaders }

function pass(passing: GrpcPassing, upstream: () => ClientHttp2Session, { stream, headers }: Coming): void {
  const t = passing.nowMs()
  const path = String(headers[HTTP2_HEADER_PATH] ?? '')
  const isRefused = !passing.mayWrite && isWritePath('POST', path)
  if (!isLoopbackHost(headers[':authority'] ?? '') || isRefused) {
    return refuse(
      stream,
      permissionDenied,
      'chainstage record: this request is not forwarded; use --allow-writes to forward transactions',
    )
  }
  const conn = passing.connection()
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
  const sent: Buffer[] = []
  const got: Buffer[] = []
  const call = upstream().request(kept, { endStream: false })
  let status: IncomingHttpHeaders = {}
  stream.on('data', (part: Buffer) => keep(sent, part))
  stream.pipe(call)
  call.on('response', (answer, flags) => {
    status = answer
    if (stream.destroyed || stream.headersSent) return
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0
    stream.respond(answer, { endStream, waitForTrailers: !endStream })
    stream.once('wantTrailers', () => stream.sendTrailers(trailersOf(status)))
  })
  call.on('trailers', (trailers) => {
    status = { ...status, ...trailers }
  })
  call.on('data', (part: Buffer) => {
    keep(got, part)
    stream.write(part)
  })
  call.on('end', () => {
    const ms = Math.round((passing.nowMs() - t) * 10) / 10
    const at = headers['x-cosmos-block-height']
    const exchange = readExchange({ sent: Buffer.concat(sent), headers }, { sent: Buffer.concat(got), headers: status })
    if (exchange !== undefined) {
      passing.note({
        t,
        iface: 'g',
        kind: 'http',
        conn,
        method: 'POST',
        path,
        ...exchange,
        ...(typeof at === 'string' ? { at } : {}),
        ms,
      })
    }
    // The end of a call that was reset is not that of its answer.
    if (call.rstCode === 0 && stream.headersSent && !stream.writableEnded && !stream.destroyed) stream.end()
  })
  call.on('error', () => {})
  // A node that is away, or that resets a call, neither answers nor ends it.
  call.on('close', () => {
    if (stream.destroyed || stream.writableEnded) return
    if (stream.headersSent) stream.close(NGHTTP2_INTERNAL_ERROR)
    else refuse(stream, unavailable, 'chainstage record: the recorded node did not respond')
  })
  stream.on('close', () => call.close())
}

function keep(parts: Buffer[], part: Buffer): void {
  const size = parts.reduce((sum, { length }) => sum + length, part.length)
  if (size <= mostBytes) parts.push(part)
}

function trailersOf(status: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(status).filter(([name]) => name.startsWith('grpc-')))
}

function refuse(stream: ServerHttp2Stream, status: string, text: string): void {
  stream.respond(
    {
      ':status': 200,
      'content-type': 'application/grpc',
      'grpc-status': status,
      'grpc-message': encodeURI(text),
    },
    { endStream: true },
  )
  stream.resume()
}
