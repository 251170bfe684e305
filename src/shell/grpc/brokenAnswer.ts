/**
 * Sends gRPC responses with transport faults: truncated, slow, or followed by a broken connection.
 */
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { WireEffect } from '../../node/output.ts'
import { brokenFrame, half } from './brokenFrame.ts'

/** A call whose headers have been sent; `end` sends its trailers. */
export type Answering = {
  readonly stream: ServerHttp2Stream
  readonly socket: Socket
  readonly content: Buffer
  readonly end: () => void
}

/** Delay in which a client can read what was sent before the reset. */
const resetAfterMs = 50

/** Sends the content of a response with a fault. */
export function sendBroken(answering: Answering, wire: WireEffect): void {
  const { stream, socket, content, end } = answering
  switch (wire.type) {
    case 'reset':
      stream.write(wire.when === 'midBody' ? half(content) : content)
      setTimeout(() => socket.resetAndDestroy(), resetAfterMs).unref()
      return
    case 'framing':
      stream.write(brokenFrame(content, wire.damage))
      return end()
    case 'dribble':
      return dribble(answering, wire)
    case 'slowClose':
      stream.write(content)
      setTimeout(end, wire.afterMs).unref()
      return
    default:
      return end()
  }
}

/** Sends the content `bytes` bytes at a time, every `everyMs` milliseconds. */
function dribble(
  { stream, content, end }: Answering,
  { bytes: size, everyMs }: Extract<WireEffect, { type: 'dribble' }>,
): void {
  let sent = 0
  const timer = setInterval(() => {
    stream.write(content.subarray(sent, sent + size))
    sent += size
    if (sent < content.length) return
    clearInterval(timer)
    end()
  }, everyMs)
  stream.once('close', () => clearInterval(timer))
}
