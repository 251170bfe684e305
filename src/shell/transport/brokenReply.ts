/** HTTP responses that violate HTTP, that are sent slowly, or that end early. */
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { type BrokenEnd, type BrokenReply, halfOf, withInvalidUtf8 } from '../../fault/wire.ts'
import { longestTimerMs } from '../pace.ts'
import type { Headers } from './cors.ts'
import type { HttpAnswering } from './httpExchange.ts'

/** `bytes` replace `body`, as in gRPC-web. */
type Reply = {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  readonly bytes?: Uint8Array
}

/** Sends a reply in the steps of a fault. */
export function sendBroken(answering: HttpAnswering, reply: Reply, { send, then }: BrokenReply): void {
  const { request, response } = answering
  const { socket } = request
  if (send === undefined) return then.does === 'nothing' ? undefined : end(answering, then)
  const whole = Buffer.from(reply.bytes ?? reply.body)
  const bytes = send.part === 'half' ? halfOf(whole) : whole
  switch (send.framing) {
    case 'untilClose':
      writeRaw(socket, reply, { header: ['Connection', 'close'], head: '', bytes })
      return end(answering, then)
    case 'chunk':
      // The length of the chunk is not a number.
      writeRaw(socket, reply, { header: ['Transfer-Encoding', 'chunked'], head: 'zz\r\n', bytes })
      return void socket.end('\r\n')
    case 'contentLength':
      writeHead(answering, reply, bytes.length + 10)
      return void response.write(bytes, () => socket.end())
    case 'utf8': {
      const broken = withInvalidUtf8(bytes)
      writeHead(answering, reply, broken.length)
      return void response.end(broken)
    }
    case 'valid':
      writeHead(answering, reply, whole.length)
      if (send.pace !== undefined) return dribble(response, bytes, send.pace, () => end(answering, then))
      response.write(bytes, () => end(answering, then))
  }
}

function writeHead({ response }: HttpAnswering, { status, headers }: Reply, length: number): void {
  response.writeHead(status, [...headers, ['Content-Length', String(length)]].flat())
}

type Raw = { readonly header: readonly [string, string]; readonly head: string; readonly bytes: Buffer }

/** Writes a response past node:http; `head` comes before the bytes of the body. */
function writeRaw(socket: Socket, { status, headers }: Reply, { header, head, bytes }: Raw): void {
  const lines = [...headers, header].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket.write(`HTTP/1.1 ${status} OK\r\n${lines}\r\n${head}`)
  socket.write(bytes)
}

function end({ request: { socket }, response }: HttpAnswering, then: BrokenEnd): void {
  switch (then.does) {
    case 'nothing':
      return void response.end()
    case 'end':
      return later(then.afterMs, () => socket.end())
    case 'reset':
      return later(then.afterMs, () => socket.resetAndDestroy())
    case 'close':
      return void socket.end()
  }
}

/** Does something after some milliseconds; 0 means at once. */
export function later(ms: number, work: () => void): void {
  if (ms === 0) work()
  else setTimeout(work, Math.min(ms, longestTimerMs)).unref()
}

type Pace = { readonly bytes: number; readonly everyMs: number }

/** Writes the content a few bytes at a time, then calls `end`. */
export function dribble(stream: Writable, content: Buffer, { bytes, everyMs }: Pace, end: () => void): void {
  let sent = 0
  const timer = setInterval(
    () => {
      stream.write(content.subarray(sent, sent + bytes))
      sent += bytes
      if (sent < content.length) return
      clearInterval(timer)
      end()
    },
    Math.min(everyMs, longestTimerMs),
  )
  stream.once('close', () => clearInterval(timer))
}
