/** Writes gRPC answers as HTTP/2 and gRPC-web responses (`cosmos-rest-grpc.md` §10, §11). */
import { grpcCodes } from '../../app/grpcStatus.ts'
import { base64Of } from '../../codec/base64.ts'
import { gzip } from '../../codec/gzip.ts'
import { concatBytes } from '../../data/bytes.ts'
import { utf8Of } from '../../data/utf8.ts'
import type { Answer, AnswerError } from '../../node/answer.ts'
import { serverTime } from '../comet/page.ts'
import { heightHeader } from '../cosmos/height.ts'
import type { Framed } from '../transport.ts'
import { writeFrames } from './frames.ts'
import { messageOf } from './grpcMethod.ts'

/** An answer and its status; `height` is the value in the metadata, if any. */
export type GrpcResponse = {
  readonly code: number
  readonly text: string
  readonly message: Uint8Array | undefined
  readonly height: string | undefined
}

/** Returns the response for an answer; `height` is that of the state that was read. */
export function grpcResponse(answer: Answer, height: string | undefined): GrpcResponse {
  if (answer.ok === true) {
    return { code: grpcCodes.ok, text: '', message: messageOf(answer.text), height }
  }
  // A fault replaces the whole response.
  if (answer.ok === undefined) return { code: grpcCodes.ok, text: '', message: undefined, height }
  const { error } = answer
  return {
    ...statusOf(error),
    message: undefined,
    height: error.isEarly === true ? undefined : height,
  }
}

/** JSON-RPC codes come from internal errors of chainstage. */
function statusOf({ code, message, data }: AnswerError): Pick<GrpcResponse, 'code' | 'text'> {
  if (code >= 0 && code <= 16) return { code, text: message }
  return { code: grpcCodes.internal, text: data === undefined ? message : `${message}: ${data}` }
}

type Http2 = { readonly contentType: string; readonly httpStatus?: number | undefined; readonly isGzip?: boolean }

/**
 * Returns an HTTP/2 response. Without message and metadata, the status is in its headers. As on the
 * node, the answer to a caller that compresses with gzip is compressed.
 */
export function http2Response(
  { code, text, message, height }: GrpcResponse,
  { contentType, httpStatus = 200, isGzip = false }: Http2,
): Framed {
  const status = [['grpc-status', String(code)] as const, ['grpc-message', escaped(text)] as const]
  const type = ['content-type', contentType] as const
  if (message === undefined && height === undefined) {
    return { status: httpStatus, headers: [type, ...status], body: '', bytes: new Uint8Array(0) }
  }
  return {
    status: httpStatus,
    headers: [type, ...(isGzip ? [['grpc-encoding', 'gzip'] as const] : []), ...heightMetadata(height)],
    body: '',
    bytes:
      message === undefined ? new Uint8Array(0) : isGzip ? writeFrames([gzip(message)], 1) : writeFrames([message]),
    trailers: status,
  }
}

function heightMetadata(height: string | undefined): Framed['headers'] {
  return height === undefined ? [] : [[heightHeader, height]]
}

/**
 * A request type such as `application/grpc;proto` gets the response type `application/grpc+proto`.
 */
export function contentTypeOf(requested: string): string {
  const subtype = /^application\/grpc[+;](.+)$/.exec(requested)?.[1]
  return subtype === undefined ? 'application/grpc' : `application/grpc+${subtype}`
}

const textMost = 8192

/**
 * Escapes percent signs and all bytes that are not printable ASCII (gRPC over HTTP/2, Responses).
 * Node.js sends no headers above 64 KiB, so a longer text is cut.
 */
function escaped(text: string): string {
  return [...utf8Of(text.slice(0, textMost))]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}

/** `origin` is that of a page that may read the response, or undefined. */
export type Web = { readonly contentType: string; readonly origin: string | undefined }

/** In gRPC-web a frame with this flag follows the message and holds the status. */
const trailerFlag = 0x80

/** Returns a gRPC-web response. Without a message, the status is in its headers. */
export function webResponse({ code, text, message, height }: GrpcResponse, { contentType, origin }: Web): Framed {
  const headers: readonly (readonly [string, string])[] = [
    ['Content-Type', contentType],
    ...allowed(origin),
    ['Vary', 'Origin'],
    serverTime,
    ...(height === undefined ? [] : [['X-Cosmos-Block-Height', height] as const]),
    ...(message === undefined ? [['Grpc-Status', String(code)] as const] : []),
    ...(message === undefined && text !== '' ? [['Grpc-Message', escaped(text)] as const] : []),
  ]
  const exposed = [...new Set([...headers.map(([name]) => name), 'Date', 'grpc-status', 'grpc-message'])].sort()
  const frames =
    message === undefined
      ? []
      : [writeFrames([message]), writeFrames([utf8Of(`grpc-status: ${code}\r\n`)], trailerFlag)]
  const framed = {
    status: 200,
    headers: [...headers, ['Access-Control-Expose-Headers', exposed.join(', ')]],
  } satisfies Omit<Framed, 'body'>
  return contentType.startsWith('application/grpc-web-text')
    ? { ...framed, body: frames.map(base64Of).join('') }
    : { ...framed, body: '', bytes: concatBytes(frames) }
}

function allowed(origin: string | undefined): Framed['headers'] {
  return origin === undefined
    ? []
    : [
        ['Access-Control-Allow-Origin', origin],
        ['Access-Control-Allow-Credentials', 'true'],
      ]
}
