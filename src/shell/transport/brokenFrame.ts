/** WebSocket responses that violate RFC 6455, that are sent slowly, or that end early. */
import { type BrokenEnd, brokenReplyOf, halfOf, type WireEffect } from '../../fault/wire.ts'
import { later } from './brokenReply.ts'
import { textFrame } from './frame.ts'
import type { Peer } from './peer.ts'

/** Sends a response on a connection, in the steps of a fault if it has one. */
export function sendOn(peer: Peer, text: string, effect: WireEffect | undefined): void {
  const frame = textFrame(text)
  if (effect === undefined) return text === '' ? undefined : peer.send(frame)
  const { send, then } = brokenReplyOf(effect)
  if (send === undefined) return end(peer, then)
  switch (send.framing) {
    case 'contentLength':
      // The frame lacks its last byte.
      peer.wire.write(frame.subarray(0, -1))
      return void peer.wire.end()
    case 'chunk':
      return peer.send(withByte(frame, 0, reservedBits))
    case 'utf8':
      return peer.send(withByte(frame, frame.length - 1, 0xff))
    case 'untilClose':
      peer.send(frame)
      return later(then.does === 'end' ? then.afterMs : 0, () => peer.socket.close(1001))
    case 'valid': {
      if (send.pace !== undefined) return peer.dribble(frame, send.pace)
      if (then.does === 'nothing') return peer.send(frame)
      return void peer.wire.write(send.part === 'half' ? halfOf(frame) : frame, () => end(peer, then))
    }
  }
}

/** The first byte of a text frame, with its reserved bits set. */
const reservedBits = 0xf1

function withByte(frame: Buffer, at: number, byte: number): Buffer {
  const broken = Buffer.from(frame)
  broken[at] = byte
  return broken
}

function end(peer: Peer, then: BrokenEnd): void {
  switch (then.does) {
    case 'nothing':
      return
    case 'end':
      return later(then.afterMs, () => peer.wire.end())
    case 'reset':
      return later(then.afterMs, () => peer.wire.resetAndDestroy())
    case 'close':
      return closeOn(peer, then)
  }
}

export type Closing = { readonly code: number; readonly reason: string; readonly midFrame?: boolean }

/** Closes a connection with a code. Code 1006 cannot be sent, so it cuts the connection. */
export function closeOn({ socket, wire }: Peer, { code, reason, midFrame }: Closing): void {
  if (midFrame === true) wire.write(textFrame('{"jsonrpc":"2.0",').subarray(0, 9))
  // The client would read a close frame as the rest of the incomplete frame.
  if (code === 1006 || midFrame === true) return void wire.end(() => socket.terminate())
  socket.close(code, reason)
}
