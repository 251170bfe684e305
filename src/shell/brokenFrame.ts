/**
 * Answers over WebSocket that are not what RFC 6455 says they should be, or that take their time.
 */
import type { WireEffect } from '../node/output.ts'
import { textFrame } from './frame.ts'
import type { Peer } from './peer.ts'

/** So that a client has read what was sent before the reset. */
const resetAfterMs = 50

/** Sends an answer on a connection, or does to it what a fault says. */
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

/** Closes with a code, or cuts the connection: 1006 cannot be sent. */
export function closeOn({ socket, wire }: Peer, { code, reason, midFrame }: Closing): void {
  if (midFrame === true) wire.write(textFrame('{"jsonrpc":"2.0",').subarray(0, 9))
  // What ws writes now would be taken for the rest of the frame.
  if (code === 1006 || midFrame === true) return void wire.end(() => socket.terminate())
  socket.close(code, reason)
}

function reset({ wire }: Peer, frame: Buffer, when: ResetAt): void {
  if (when === 'beforeHeaders') return void wire.resetAndDestroy()
  const sent = when === 'midBody' ? frame.subarray(0, Math.ceil(frame.length / 2)) : frame
  wire.write(sent, () => setTimeout(() => wire.resetAndDestroy(), resetAfterMs))
}

/**
 * A frame of a kind that nobody agreed on, one that is no text, or one that promises more than it
 * has.
 */
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
