/**
 * How each interface reads a request into calls and writes their answers as a response. Everything
 * between is shared (`serve.ts`).
 */
import type { Answer } from '../node/answer.ts'
import type { RequestInput, Stamp } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Dialect, WireParams } from './dialect.ts'

/** `id` is JSON text, or '' if the call has none. */
export type Call = { readonly name: string; readonly params: WireParams; readonly id: string }

/**
 * A response. Over WebSocket only the body is sent, and '' sends nothing. `bytes` is a binary body
 * and replaces `body`; `trailers` follow the body.
 */
export type Framed = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly bytes?: Uint8Array
  readonly trailers?: readonly (readonly [string, string])[]
  /** The node answers this before its CORS layer, so the response has no CORS headers. */
  readonly cors?: 'strip'
}

/** Calls to answer in order, or a ready response. A fatal error ends the list of answers. */
export type Message =
  | {
      readonly kind: 'calls'
      readonly calls: readonly Call[]
      readonly frame: (answers: readonly Answer[]) => Framed
    }
  | { readonly kind: 'response'; readonly framed: Framed }

export type Side = {
  readonly dialect: Dialect
  /** Returns how a request was sent: over HTTP as a query string or a body, or over WebSocket. */
  readonly transportOf: (request: RequestInput) => 'uri' | 'post' | 'ws'
  /**
   * Whether messages of a connection are answered one by one: a waiting one delays those after it.
   */
  readonly isSerial: boolean
  readonly read: (request: RequestInput & Stamp, node: Node, world: World) => Message
}
