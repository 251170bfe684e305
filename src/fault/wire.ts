/**
 * Responses that are broken below the message, as outputs carry them, and the few steps that HTTP,
 * WebSocket and gRPC understand. Each effect names steps here; each transport carries them out in
 * its own protocol.
 */

import { concatBytes } from '../data/bytes.ts'

export type WireEffect =
  | { readonly type: 'hang' }
  /** Over WebSocket: a frame without text. */
  | { readonly type: 'empty' }
  /** Ends the connection without a response. */
  | { readonly type: 'end' }
  /**
   * Sends the whole response, delimited by the end of the connection `afterMs` milliseconds later.
   */
  | { readonly type: 'slowClose'; readonly afterMs: number }
  /** Over WebSocket: closes the connection without a response. */
  | {
      readonly type: 'close'
      readonly code: number
      readonly reason: string
      readonly midFrame?: boolean
    }
  /** Breaks the framing of HTTP, WebSocket or gRPC. */
  | { readonly type: 'framing'; readonly damage: FramingDamage }
  | { readonly type: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly type: 'reset'; readonly when: 'beforeHeaders' | 'midBody' | 'afterBody' }

export type FramingDamage = 'chunk' | 'utf8' | 'contentLength'

/** The steps of a broken response: what is sent, and what then happens to the connection. */
export type BrokenReply = {
  /** Absent if nothing is sent. */
  readonly send?: {
    readonly part: 'whole' | 'half'
    /** `untilClose` declares no length: the end of the connection delimits the response. */
    readonly framing: 'valid' | 'untilClose' | FramingDamage
    /** Sends a few bytes at a time. */
    readonly pace?: { readonly bytes: number; readonly everyMs: number }
  }
  readonly then: BrokenEnd
}

/**
 * `nothing` goes on as after an ordinary response; if none was sent, the client waits. `close`
 * carries a WebSocket close code.
 */
export type BrokenEnd =
  | { readonly does: 'nothing' }
  | { readonly does: 'end' | 'reset'; readonly afterMs: number }
  | { readonly does: 'close'; readonly code: number; readonly reason: string; readonly midFrame?: boolean }

/** Time for a client to read the data sent before a reset, which it would take for an end. */
const resetAfterMs = 50

/** Returns the steps of an effect. */
export function brokenReplyOf(effect: WireEffect): BrokenReply {
  switch (effect.type) {
    case 'hang':
      return { then: { does: 'nothing' } }
    case 'empty':
      return { send: { part: 'whole', framing: 'valid' }, then: { does: 'nothing' } }
    case 'end':
      return { then: { does: 'end', afterMs: 0 } }
    case 'slowClose':
      return { send: { part: 'whole', framing: 'untilClose' }, then: { does: 'end', afterMs: effect.afterMs } }
    case 'close': {
      const { type: _, ...how } = effect
      return { then: { does: 'close', ...how } }
    }
    case 'framing':
      return { send: { part: 'whole', framing: effect.damage }, then: { does: 'nothing' } }
    case 'dribble': {
      const { type: _, ...pace } = effect
      return { send: { part: 'whole', framing: 'valid', pace }, then: { does: 'nothing' } }
    }
    case 'reset':
      if (effect.when === 'beforeHeaders') return { then: { does: 'reset', afterMs: 0 } }
      return {
        send: { part: effect.when === 'midBody' ? 'half' : 'whole', framing: 'valid' },
        then: { does: 'reset', afterMs: resetAfterMs },
      }
  }
}

/** Returns the first half of some bytes, rounded up. */
export function halfOf<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  return bytes.subarray(0, Math.ceil(bytes.length / 2)) as Bytes
}

/** Bytes that are invalid UTF-8 at any position. */
const noUtf8 = Uint8Array.of(0xff, 0xfe)

/** Returns some bytes with invalid UTF-8 inserted in their middle: two bytes more. */
export function withInvalidUtf8(bytes: Uint8Array): Uint8Array {
  const middle = Math.floor(bytes.length / 2)
  return concatBytes([bytes.subarray(0, middle), noUtf8, bytes.subarray(middle)])
}
