/** WebSocket responses that violate RFC 6455, or that are sent slowly. */
import type { WireEffect } from '../node/output.ts'
import { textFrame } from './frame.ts'
import type { Peer } from './peer.ts'

/** Time for a client to read the data sent before the reset. */
const resetAfterMs = 50

/** Sends a response on a connection, or applies the effect of a fault to it. */
export function sendOn(peer: Peer, text: string, effect: WireEffect | undefined): void {
  const { socket, wire } = peer
  const frame = textFrame(text)
  switch (effect?.type) {
    case undefined:
      return text === '' ? undefined : peer.send(frame)
    case 'hang':
      return
    case 'empty':
      return peer.send(textFrame(''))
    case 'end':
      return void wire.end()
    case 'close':
      return closeOn(peer, effect)
    case 'dribble':
      return peer.dribble(frame, effect)
    case 'slowClose': {
      peer.send(frame)
      setTimeout(() => socket.close(1001), effect.afterMs).unref()
      return
    }
    case 'framing':
      return breakFrame(peer, frame, effect.damage)
    case 'reset':
      return reset(peer, frame, effect.when)
  }
}

export type Closing = Omit<Extract<WireEffect, { type: 'close' }>, 'type'>

type ResetAt = Extract<WireEffect, { type: 'reset' }>['when']

/** Closes a connection with a code. Code 1006 cannot be sent, so it cuts the connection. */
export function closeOn({ socket, wire }: Peer, { code, reason, midFrame }: Closing): void {
  if (midFrame === true) wire.write(textFrame('{"jsonrpc":"2.0",').subarray(0, 9))
  // The client would read a close frame as the rest of the incomplete frame.
  if (code === 1006 || midFrame === true) return void wire.end(() => socket.terminate())
  socket.close(code, reason)
}

function reset({ wire }: Peer, frame: Buffer, when: ResetAt): void {
  if (when === 'beforeHeaders') return void wire.resetAndDestroy()
  const sent = when === 'midBody' ? frame.subarray(0, Math.ceil(frame.length / 2)) : frame
  wire.write(sent, () => setTimeout(() => wire.resetAndDestroy(), resetAfterMs))
}

/** Sends a frame with reserved bits set, with invalid UTF-8, or without its last byte. */
function breakFrame(peer: Peer, frame: Buffer, damage: Extract<WireEffect, { type: 'framing' }>['damage']): void {
  if (damage === 'contentLength') {
    peer.wire.write(frame.subarray(0, -1))
    return void peer.wire.end()
  }
  const broken = Buffer.from(frame)
  if (damage === 'chunk') broken[0] = 0xf1
  else broken[broken.length - 1] = 0xff
  peer.send(broken)
}
