/**
 * The differences between the interfaces and their transports, as data and small pure functions.
 * Dispatch and methods are shared; error codes and error texts belong to the dialect alone.
 */
import type { Json } from '../codec/goJson.ts'
import type { Answer, AnswerError } from '../node/answer.ts'
import type { Context, Method } from './method.ts'
import type { Table } from './table.ts'
import type { Side } from '../settings/side.ts'

export type Dialect = {
  readonly side: Side
  readonly table: Table

  /**
   * Returns whether a method is available: its namespace is on, and it may be called on this
   * transport.
   */
  readonly allows: (method: Method, context: Context) => boolean

  /** Returns decoded parameters in declared order, or throws `RpcError`. */
  readonly decodeParams: (method: Method, params: WireParams, context: Context) => readonly unknown[]

  /** Returns the error member for a thrown value. */
  readonly errorOf: (error: unknown, context: Context) => RpcErrorShape

  readonly unknownMethod: (name: string, context: Context) => RpcErrorShape

  /**
   * Returns a successful answer after a fault has changed its JSON, where answers are not kept as
   * JSON.
   */
  readonly changedAnswer?: (name: string, text: string, change: (json: string) => string) => Answer
}

/**
 * Parameters as received: absent, JSON text, or the pairs of a query string. For gRPC, `message` is
 * the encoded request and `text` is its JSON; `height` is the header that selects the state to
 * read.
 */
export type WireParams =
  | { readonly form: 'absent' }
  | {
      readonly form: 'json'
      readonly text: string
      /**
       * The parsed text, if it was parsed with its message; otherwise whoever needs the tree parses
       * the text.
       */
      readonly tree?: Json
      readonly message?: Uint8Array
      readonly height?: string | undefined
    }
  | { readonly form: 'uri'; readonly pairs: ReadonlyMap<string, string> }

export type RpcErrorShape = AnswerError
