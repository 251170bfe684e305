/** Sends a service call to a real node's REST API or gRPC. */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'
import { writeFrames } from '../../rpc/grpc/frames.ts'
import { restRequest } from '../../rpc/rest/target.ts'
import type { Call } from '../../rpc/transport.ts'
import { readExchange } from './grpcExchange.ts'
import { ask, earlyOf, isOfGateway } from './upstream.ts'

/** The exchange to record, without its time; undefined if the node did not answer. */
export type Exchanged = Omit<TapLine, 't'> | undefined

/** Resolves with the exchange of a call to a REST API. */
export async function askRest(upstream: URL, { name, params }: Call): Promise<Exchanged> {
  if (params.form !== 'json') return undefined
  const request = restRequest(name, params.text)
  if (request === undefined) return undefined
  const { verb, target, body } = request
  const at = params.height
  const headers = at === undefined ? {} : { [heightHeader]: at }
  const got = await ask(upstream, {
    method: verb,
    path: target,
    headers: { ...headers, 'content-type': 'application/json' },
    body: Buffer.from(body),
  }).catch(() => undefined)
  const res = got?.body.toString('utf8') ?? ''
  if (got === undefined || isOfGateway(got.status) || !/^\s*[[{]/.test(res)) return undefined
  const { status } = got
  return { ...common, iface: 'c', method: verb, path: target, req: body, status, res, ...atOf(at), ...earlyOf(got) }
}

/** Resolves with the exchange of a unary gRPC call. */
export async function askGrpc(upstream: URL, { name, params }: Call): Promise<Exchanged> {
  if (params.form !== 'json' || params.message === undefined) return undefined
  const path = `/${name}`
  const at = params.height
  const sent = Buffer.from(writeFrames([params.message]))
  const got = await unary(upstream, { path, sent, at })
  const exchange = got === undefined ? undefined : readExchange({ sent, headers: {} }, got)
  return exchange === undefined || exchange.status === unavailable
    ? undefined
    : { ...common, iface: 'g', method: 'POST', path, ...exchange, ...atOf(at) }
}

const unavailable = 14
const common = { kind: 'http', conn: 0, ms: 0 } as const
const patienceMs = 60_000

function atOf(at: string | undefined): { readonly at?: string } {
  return at === undefined ? {} : { at }
}

const sessions = new Map<string, ClientHttp2Session>()

/** Returns an open HTTP/2 session. An idle session does not keep the process alive. */
function sessionWith({ protocol, host }: URL): ClientHttp2Session {
  const origin = `${protocol === 'https:' ? 'https:' : 'http:'}//${host}`
  const known = sessions.get(origin)
  if (known !== undefined && !known.closed && !known.destroyed) return known
  const session = connect(origin)
  session.on('error', () => {})
  session.unref()
  sessions.set(origin, session)
  return session
}

type Unary = { readonly path: string; readonly sent: Buffer; readonly at: string | undefined }
type Got = { readonly sent: Buffer; readonly headers: IncomingHttpHeaders }

function unary(upstream: URL, { path, sent, at }: Unary): Promise<Got | undefined> {
  return new Promise((done) => {
    const session = sessionWith(upstream)
    session.ref()
    const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH } = constants
    const stream = session.request({
      [HTTP2_HEADER_METHOD]: 'POST',
      [HTTP2_HEADER_PATH]: path,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(at === undefined ? {} : { [heightHeader]: at }),
    })
    const parts: Buffer[] = []
    let headers: IncomingHttpHeaders = {}
    const add = (more: IncomingHttpHeaders) => {
      headers = { ...headers, ...more }
    }
    stream.on('response', add)
    stream.on('trailers', add)
    stream.on('data', (part: Buffer) => {
      parts.push(part)
    })
    stream.setTimeout(patienceMs, () => stream.close(constants.NGHTTP2_CANCEL))
    stream.on('error', () => {})
    stream.on('close', () => {
      session.unref()
      done(headers['grpc-status'] === undefined ? undefined : { sent: Buffer.concat(parts), headers })
    })
    stream.end(sent)
  })
}
