/**
 * What differs between the two interfaces and their transports, as data and small pure functions.
 * The envelope, the dispatch and the methods are the same for both; only a dialect knows codes and
 * texts.
 */
import type { AnswerError } from '../node/answer.ts'
import type { Context, Method } from './method.ts'
import type { Table } from './table.ts'

export type Dialect = {
  readonly side: 'comet' | 'eth'
  readonly table: Table

  /**
   * Says whether the method may be called here and now: its namespace is on, the transport fits.
   */
  readonly allows: (method: Method, context: Context) => boolean

  /** Returns decoded parameters in declared order, or throws `RpcError`. */
  readonly decodeParams: (method: Method, params: WireParams, context: Context) =>
    readonly unknown[]

  /** Returns the error member for anything a method threw. */
  readonly errorOf: (error: unknown, context: Context) => RpcErrorShape

  readonly unknownMethod: (name: string, context: Context) => RpcErrorShape
}

/** Parameters as they came: absent, JSON text, or the pairs of a query string. */
export type WireParams =
  | { readonly form: 'absent' }
  | { readonly form: 'json'; readonly text: string }
  | { readonly form: 'uri'; readonly pairs: ReadonlyMap<string, string> }

export type RpcErrorShape = AnswerError
