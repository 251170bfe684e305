/** Sends gRPC messages as faults leave them: cut, slow, or with a connection that breaks. */
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { WireEffect } from '../../node/output.ts'
import { brokenFrame, half } from './brokenFrame.ts'

/** A call whose headers are out; `end` sends its trailers. */
export type Answering = {
  readonly stream: ServerHttp2Stream
  readonly socket: Socket
  readonly content: Buffer
  readonly end: () => void
}

/** So that a client has read what was sent before the reset. */
const resetAfterMs = 50

/** Sends the content of an answer as an effect has it. */
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

/** Sends a few bytes at a time. */
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
