/**
 * What differs between the two interfaces and their transports, as data and small pure functions.
 * The envelope, the dispatch and the methods are the same for both; only a dialect knows codes and
 * texts.
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
   * Says whether the method may be called here and now: its namespace is on, the transport fits.
   */
  readonly allows: (method: Method, context: Context) => boolean

  /** Returns decoded parameters in declared order, or throws `RpcError`. */
  readonly decodeParams: (method: Method, params: WireParams, context: Context) => readonly unknown[]

  /** Returns the error member for anything a method threw. */
  readonly errorOf: (error: unknown, context: Context) => RpcErrorShape

  readonly unknownMethod: (name: string, context: Context) => RpcErrorShape

  /** Returns a true answer whose JSON a fault changes, where answers are kept as something else. */
  readonly changedAnswer?: (name: string, text: string, change: (json: string) => string) => Answer
}

/**
 * Parameters as they came: absent, JSON text, or the pairs of a query string. Of a call of a gRPC
 * service, `message` has its request's bytes, of which the text is the JSON, and `height` is the
 * header that names the state to ask.
 */
export type WireParams =
  | { readonly form: 'absent' }
  | {
      readonly form: 'json'
      readonly text: string
      /** The text as it was parsed with its message; without it, whoever needs the tree parses. */
      readonly tree?: Json
      readonly message?: Uint8Array
      readonly height?: string | undefined
    }
  | { readonly form: 'uri'; readonly pairs: ReadonlyMap<string, string> }

export type RpcErrorShape = AnswerError
