/**
 * Sends gRPC responses with transport faults: truncated, slow, damaged, or followed by a broken
 * connection. Damaged messages do not match their five-byte header (flag and length):
 *
 *     chunk          the flag says that the message is compressed, but it is not
 *     utf8           invalid UTF-8 is inserted in the middle of the message
 *     contentLength  the length is larger than the message
 */
import type { ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { type BrokenEnd, type BrokenReply, type FramingDamage, halfOf, withInvalidUtf8 } from '../../fault/wire.ts'
import { dribble, later } from '../transport/brokenReply.ts'

/** A call whose headers have been sent; `end` sends its trailers. */
export type BrokenAnswering = {
  readonly stream: ServerHttp2Stream
  readonly socket: Socket
  readonly content: Buffer
  readonly end: () => void
}

/** Sends the content of a response, and then its trailers, in the steps of a fault. */
export function sendBroken({ stream, socket, content, end }: BrokenAnswering, { send, then }: BrokenReply): void {
  const framing = send?.framing ?? 'valid'
  const whole = framing === 'valid' || framing === 'untilClose' ? content : brokenFrame(content, framing)
  const bytes = send?.part === 'half' ? halfOf(whole) : whole
  const finish = () =>
    then.does === 'reset'
      ? later(then.afterMs, () => socket.resetAndDestroy())
      : later(then.does === 'end' ? then.afterMs : 0, end)
  if (send?.pace !== undefined) return dribble(stream, bytes, send.pace, finish)
  if (bytes.length > 0) stream.write(bytes)
  finish()
}

/** Ends the connection of a call that gets no response. */
export function endWithoutAnswer(socket: Socket, { does }: BrokenEnd): void {
  if (does === 'reset') socket.resetAndDestroy()
  else if (does !== 'nothing') socket.destroy()
}

const headBytes = 5

function brokenFrame(frame: Buffer, damage: FramingDamage): Buffer {
  const broken = Buffer.from(frame)
  if (broken.length < headBytes) return broken
  switch (damage) {
    case 'chunk':
      broken[0] = 1
      return broken
    case 'contentLength':
      broken.writeUInt32BE(broken.readUInt32BE(1) + 10, 1)
      return broken
    case 'utf8': {
      const content = withInvalidUtf8(broken.subarray(headBytes))
      broken.writeUInt32BE(content.length, 1)
      return Buffer.concat([broken.subarray(0, headBytes), content])
    }
  }
}
