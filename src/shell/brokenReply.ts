/** Responses that violate HTTP, or that are sent slowly. */
import type { WireEffect } from '../node/output.ts'
import type { Headers } from './cors.ts'
import type { Answering } from './httpExchange.ts'

/** `bytes` replace `body`, as in gRPC-web. */
type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly bytes?: Uint8Array
}

/** Returns the body of a reply as bytes. */
export function contentOf({ body, bytes }: Pick<Reply, 'body' | 'bytes'>): Buffer {
  return Buffer.from(bytes ?? body)
}

/** Bytes that are invalid UTF-8 at any position. */
const noUtf8 = Buffer.from([0xff, 0xfe])

/**
 * Sends a body shorter than its `Content-Length`, a chunk with an invalid length, or invalid UTF-8.
 */
export function breakFraming(
  { request, response }: Answering,
  reply: Reply,
  damage: Extract<WireEffect, { type: 'framing' }>['damage'],
): void {
  const { status, headers } = reply
  const bytes = contentOf(reply)
  if (damage === 'utf8') {
    response.writeHead(status, flat([...headers, ['Content-Length', String(bytes.length + noUtf8.length)]]))
    const middle = Math.floor(bytes.length / 2)
    return void response.end(Buffer.concat([bytes.subarray(0, middle), noUtf8, bytes.subarray(middle)]))
  }
  if (damage === 'contentLength') {
    response.writeHead(status, flat([...headers, ['Content-Length', String(bytes.length + 10)]]))
    return void response.write(bytes, () => request.socket.end())
  }
  const head = [...headers, ['Transfer-Encoding', 'chunked'] as const]
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  request.socket.write(`HTTP/1.1 ${status} OK\r\n${head}\r\nzz\r\n`)
  request.socket.write(bytes)
  request.socket.end('\r\n')
}

/** Sends the body a few bytes at a time. */
export function dribble(
  { response }: Answering,
  reply: Reply,
  { bytes: size, everyMs }: Extract<WireEffect, { type: 'dribble' }>,
): void {
  const { status, headers } = reply
  const bytes = contentOf(reply)
  let sent = 0
  response.writeHead(status, flat([...headers, ['Content-Length', String(bytes.length)]]))
  const timer = setInterval(() => {
    response.write(bytes.subarray(sent, sent + size))
    sent += size
    if (sent < bytes.length) return
    clearInterval(timer)
    response.end()
  }, everyMs)
  response.once('close', () => clearInterval(timer))
}

/** Sends the body without a length; closing the connection after `afterMs` ends the body. */
export function closeSlowly({ request }: Answering, reply: Reply, afterMs: number): void {
  const { status, headers } = reply
  const head = [...headers, ['Connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  request.socket.write(`HTTP/1.1 ${status} OK\r\n${head}\r\n`)
  request.socket.write(contentOf(reply))
  setTimeout(() => request.socket.end(), afterMs).unref()
}

function flat(headers: Headers): string[] {
  return headers.flat()
}
