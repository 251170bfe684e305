/** Sends the responses of a gRPC call as HTTP/2 frames, including transport faults. */
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { ReplyOutput } from '../../node/output.ts'
import { brokenReplyOf } from '../../fault/wire.ts'
import { endWithoutAnswer, sendBroken } from './brokenAnswer.ts'

export type Responder = {
  /** Sends a reply. The last reply ends the call, as does a reply with an error status. */
  readonly answer: (reply: ReplyOutput, how: { readonly isLast: boolean }) => void
  /** Ends the call with a status that does not come from the core. */
  readonly refuse: (code: number, text: string) => void
  /** Ends a stream with the status of its last reply. */
  readonly finish: () => void
  /** Calls `work` when the client has taken enough of the responses that another may follow. */
  readonly whenTaken: (work: () => void) => void
  readonly isOver: () => boolean
}

/** The node's answers have no date; the types of Node.js lack this option. */
const dateless = { sendDate: false }

/** Returns the responder of a call on a connection. */
export function createResponder(stream: ServerHttp2Stream, socket: Socket): Responder {
  let isDone = false
  let trailers: OutgoingHttpHeaders = {}
  const isOver = (): boolean => isDone || stream.destroyed

  function begin(headers: OutgoingHttpHeaders): void {
    if (stream.headersSent) return
    stream.respond(headers, { ...dateless, waitForTrailers: true })
    stream.once('wantTrailers', () => {
      stream.sendTrailers(trailers)
      release(stream)
    })
  }

  function end(): void {
    isDone = true
    stream.end()
    // Discard data that the client still sends.
    if (!stream.readableEnded) stream.resume()
  }

  function answer(reply: ReplyOutput, { isLast }: { readonly isLast: boolean }): void {
    if (isOver()) return
    const { bytes, wire } = reply
    const broken = wire && brokenReplyOf(wire)
    if (broken !== undefined && broken.send === undefined) {
      if (broken.then.does === 'nothing') isDone = true
      return endWithoutAnswer(socket, broken.then)
    }
    const headers = { ':status': reply.status, ...Object.fromEntries(reply.headers) }
    if (bytes === undefined || (reply.trailers === undefined && !stream.headersSent)) {
      return only(headers, reply.body)
    }
    trailers = Object.fromEntries(reply.trailers ?? statusIn(reply.headers))
    begin(headers)
    const content = Buffer.from(bytes)
    if (broken !== undefined) {
      isDone = true
      return sendBroken({ stream, socket, content, end }, broken)
    }
    if (content.length > 0) stream.write(content)
    if (isLast || trailers['grpc-status'] !== '0') end()
  }

  /** Sends headers without a message. A fault's HTTP status may have a text body. */
  function only(headers: OutgoingHttpHeaders, body: string): void {
    if (stream.headersSent) return void stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    stream.respond(headers, { ...dateless, endStream: body === '' })
    if (body !== '') stream.write(body)
    end()
    release(stream)
  }

  function refuse(code: number, text: string): void {
    if (stream.destroyed || stream.writableEnded) return
    const status = { 'grpc-status': String(code), 'grpc-message': encodeURI(text) }
    isDone = true
    if (stream.headersSent) {
      trailers = status
      return end()
    }
    only({ ':status': 200, 'content-type': 'application/grpc', ...status }, '')
  }

  return { answer, refuse, finish: end, whenTaken: (work) => afterDrain(stream, work), isOver }
}

/**
 * Resets a call that the client leaves open after its response, as the node's gRPC server does: such calls
 * would use up those that a connection may have. An end that has arrived already is read first.
 */
function release(stream: ServerHttp2Stream): void {
  setImmediate(() => {
    if (!stream.readableEnded) stream.close(constants.NGHTTP2_NO_ERROR)
  })
}

/** Calls `work` when few bytes wait to be sent. */
function afterDrain(stream: ServerHttp2Stream, work: () => void): void {
  if (stream.writableNeedDrain) stream.once('drain', work)
  else work()
}

/** Returns the status of an error reply without messages, which is in its headers. */
function statusIn(headers: ReplyOutput['headers']): ReplyOutput['headers'] {
  return headers.filter(([name]) => name.startsWith('grpc-'))
}
