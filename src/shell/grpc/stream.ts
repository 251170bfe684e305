/** Serves one gRPC call: passes its messages to the core and sends the responses. */
import { longestTimerMs } from '../pace.ts'
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { ReplyOutput } from '../../node/output.ts'
import { grpcCodes } from '../../app/grpcStatus.ts'
import { isStream, staysOpen } from '../../rpc/grpc/index.ts'
import { readTimeout } from '../../rpc/grpc/timeout.ts'
import { clientFor } from '../transport/client.ts'
import { isAllowedHost, isTrustedOrigin } from '../transport/hosts.ts'
import type { HttpOptions } from '../http.ts'
import { BadSession, sessionFor } from '../sessions.ts'
import type { Budget } from './budget.ts'
import { createIncoming } from './incoming.ts'
import { createResponder, type Responder } from './responder.ts'
import { generationHeader } from '../transport/generation.ts'
import { stoppedText } from '../stopped.ts'

export type GrpcCall = {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  /** Header names and values alternating, in the order received. */
  readonly raw: readonly string[]
  readonly socket: Socket
  /** The budget of the connection. */
  readonly budget: Budget
}

/** The metadata key that selects a session. */
const sessionHeader = 'x-chainstage-session'

/**
 * Maximum wait for the next byte of an unfinished or required message. Streams may be idle between
 * messages.
 */
const idleMostMs = 30_000

/** Serves a call. */
export function serveStream(options: GrpcOptions, call: GrpcCall): void {
  const { stream, headers, socket } = call
  stream.on('error', () => {})
  const responder = createResponder(stream, socket)
  const host = headers[':authority'] ?? ''
  if (!isAllowedHost(host, options.settings())) {
    return responder.refuse(
      grpcCodes.permissionDenied,
      `expected an allowed host name, received "${host}": allow it with --allowed-hosts`,
    )
  }
  try {
    const own = inSession(options, headers)
    const timer = deadline(headers['grpc-timeout'], responder)
    stream.once('close', () => clearTimeout(timer))
    takeMessages(own, call, responder)
  } catch (error) {
    if (!(error instanceof BadSession)) throw error
    responder.refuse(grpcCodes.notFound, `${error.message}. ${error.hint ?? ''}`)
  }
}

function inSession(options: GrpcOptions, headers: IncomingHttpHeaders): GrpcOptions {
  const name = headers[sessionHeader]
  if (typeof name !== 'string' || options.sessions === undefined) return options
  const request = { method: 'POST', headers }
  const { queue, simulation } = sessionFor(options.sessions, name, {
    request,
    opensSocket: false,
    settings: options.settings(),
  })
  return { ...options, queue, settings: () => simulation().node.settings }
}

/** Starts the timer of the call's timeout. The core refuses a malformed timeout. */
function deadline(header: string | string[] | undefined, responder: Responder): NodeJS.Timeout | undefined {
  const timeout = typeof header === 'string' ? readTimeout(header) : ''
  if (typeof timeout === 'string') return undefined
  const ms = Math.min(Math.ceil(Number(timeout) / 1e6), longestTimerMs)
  return setTimeout(() => {
    responder.refuse(grpcCodes.deadlineExceeded, 'context deadline exceeded')
  }, ms)
}

/**
 * Passes each message to the core after the client has taken the response to the previous one; further
 * messages wait unread. A unary call is answered as soon as its one message is complete.
 */
function takeMessages(options: GrpcOptions, call: GrpcCall, responder: Responder): void {
  const { stream, headers } = call
  const method = (headers[':path'] ?? '').slice(1)
  const isOfMany = isStream(method)
  const isLeftOpen = staysOpen(method)
  const waiting = createIncoming(call.budget)
  const idle = setTimeout(() => {
    if (!isBusy && !isEnded && (!hasAsked || !waiting.isEmpty())) {
      responder.refuse(grpcCodes.deadlineExceeded, `received no byte of the message for ${idleMostMs / 1000} s`)
    }
  }, idleMostMs)
  let [isBusy, isEnded, hasAsked] = [false, false, false]
  const forget = options.queue.onStop(() => responder.refuse(grpcCodes.unavailable, stoppedText))

  function ask(frame: Buffer): void {
    isBusy = true
    hasAsked = true
    stream.pause()
    enter(options, call, {
      frame,
      onReply: (reply) => {
        idle.refresh()
        responder.answer(reply, { isLast: !isOfMany && !isLeftOpen })
        responder.whenTaken(() => {
          isBusy = false
          if (!isOfMany || responder.isOver()) return
          stream.resume()
          next()
        })
      },
    })
  }

  function next(): void {
    if (isBusy || responder.isOver()) return
    const frame = waiting.next(options.settings().grpcMaxRecvMsgSize)
    if (frame !== undefined) return ask(frame)
    if (!isEnded) return
    if (!hasAsked || !waiting.isEmpty()) ask(waiting.rest())
    else if (!isLeftOpen) responder.finish()
  }

  stream.on('data', (part: Buffer) => {
    if (responder.isOver()) return
    idle.refresh()
    if (waiting.add(part)) return next()
    waiting.drop()
    responder.refuse(
      grpcCodes.resourceExhausted,
      'too many bytes of unfinished messages: send fewer messages at a time',
    )
  })
  stream.on('end', () => {
    // The call was aborted, so nobody waits for its response.
    if (stream.aborted || stream.destroyed) return
    isEnded = true
    next()
  })
  stream.once('close', () => {
    clearTimeout(idle)
    forget()
    waiting.drop()
  })
}

type Entering = { readonly frame: Buffer; readonly onReply: (reply: ReplyOutput) => void }

function enter(options: GrpcOptions, call: GrpcCall, { frame, onReply }: Entering): void {
  const { queue, settings } = options
  const { headers, socket } = call
  const { origin, ':method': verb = 'POST', ':path': target = '/' } = headers
  queue.enter(
    {
      kind: 'request',
      side: 'grpc',
      transport: 'http',
      verb,
      target,
      body: '',
      bytes: frame,
      contentType: headers['content-type'] ?? '',
      host: headers[':authority'] ?? '',
      origin,
      trusted: isTrustedOrigin(origin, settings()),
      connection: undefined,
      headers: decidingHeaders(call),
      ...clientFor({ headers, socket }, queue.simulation().node.faults),
    },
    (reply) => {
      onReply({ ...reply, headers: [...reply.headers, ...generationHeader(options)] })
    },
  )
}

/**
 * Returns the headers that affect the response. As on the node, a height that is given twice is
 * ignored.
 */
function decidingHeaders({ headers, raw }: GrpcCall): Readonly<Record<string, string>> {
  const name = 'x-cosmos-block-height'
  const isTwice = raw.filter((each, at) => at % 2 === 0 && each === name).length > 1
  return Object.fromEntries(
    [name, 'grpc-timeout', 'grpc-encoding'].flatMap((each) => {
      const value = headers[each]
      return value === undefined || (each === name && isTwice) ? [] : [[each, String(value)]]
    }),
  )
}

export type GrpcOptions = Omit<HttpOptions, 'side' | 'serves' | 'tls'>
