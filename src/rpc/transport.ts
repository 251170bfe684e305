/**
 * What each interface says of its own framing: how a request is read into calls and how their
 * answers are written back. Everything between is the same for both (`serve.ts`).
 */
import type { Answer } from '../node/answer.ts'
import type { RequestInput, Stamp } from '../node/input.ts'
import type { Node } from '../node/node.ts'
import type { World } from '../node/world.ts'
import type { Dialect, WireParams } from './dialect.ts'

/** `id` is JSON text, '' when there is none. */
export type Call = { readonly name: string; readonly params: WireParams; readonly id: string }

/**
 * A response; over WebSocket only the body counts, and '' sends nothing. `bytes` is a body that is
 * no text, and stands in its place; `trailers` follow the body.
 */
export type Framed = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly bytes?: Uint8Array
  readonly trailers?: readonly (readonly [string, string])[]
  /** The node answers this before its CORS layer. */
  readonly cors?: 'strip'
}

/** Calls to answer in order, or a response that needs none. Answers end after a fatal one. */
export type Message =
  | {
      readonly kind: 'calls'
      readonly calls: readonly Call[]
      readonly frame: (answers: readonly Answer[]) => Framed
    }
  | { readonly kind: 'response'; readonly framed: Framed }

export type Side = {
  readonly dialect: Dialect
  /** How calls of a request came: over HTTP as a query string or a body, or over WebSocket. */
  readonly transportOf: (request: RequestInput) => 'uri' | 'post' | 'ws'
  /**
   * Whether a connection's messages are answered one by one: one that waits holds up those after
   * it.
   */
  readonly isSerial: boolean
  readonly read: (request: RequestInput & Stamp, node: Node, world: World) => Message
}
