/**
 * An output of the simulation. The `seq` of a reply is that of its request, however much later it
 * is sent. The shell carries outputs out in order and decides nothing.
 */
import type { WireEffect } from '../fault/wire.ts'
import type { Side } from '../settings/side.ts'
import type { LongWork } from './longRead.ts'

export type Output =
  | ReplyOutput
  | PushOutput
  /** One text for many connections; the frame is built once. */
  | { readonly kind: 'broadcast'; readonly connections: readonly number[]; readonly text: string }
  | CloseOutput
  | {
      readonly kind: 'log'
      readonly level: LogLevel
      readonly text: string
    }
  /** A task only the shell can do; its result comes back as an input `performed` with this id. */
  | { readonly kind: 'perform'; readonly id: number; readonly task: Task }
  /** The listeners that are closed from now on; all others are open. */
  | { readonly kind: 'listen'; readonly closed: readonly Listening[] }
  /**
   * The latest time for the next tick; undefined means that nothing is due. `works`: long work is
   * left, so the next tick follows as soon as other inputs have had their turn.
   */
  | { readonly kind: 'wake'; readonly atMs: bigint | undefined; readonly works?: true }

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export type Listening = Side | 'ethWs'

export type CloseOutput = {
  readonly kind: 'close'
  readonly connection: number
  /** A WebSocket close code. 1006 breaks the connection without a close frame. */
  readonly code: number
  readonly reason: string
  /** Sends half a frame before the close. */
  readonly midFrame?: boolean
}

export type PushOutput = {
  readonly kind: 'push'
  readonly connection: number
  readonly text: string
}

/**
 * Over WebSocket only `body` counts, and '' sends nothing. `bytes` is a binary body that replaces
 * `body`; `trailers` follow the body. `wire` is a fault below the message. `cors: 'strip'` removes
 * the headers that let pages of other origins read the response.
 */
export type ReplyOutput = {
  readonly kind: 'reply'
  readonly seq: number
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly bytes?: Uint8Array
  readonly trailers?: readonly (readonly [string, string])[]
  readonly wire: WireEffect | undefined
  readonly cors?: 'strip'
}

export type Task =
  /** Does nothing; other inputs run before the result comes back. */
  | { readonly type: 'pause' }
  /**
   * Runs the execution of the owed reply with this id (`Owed.read`). `timeoutMs` 0 means no time
   * limit.
   */
  | { readonly type: 'read'; readonly part: LongWork['part']; readonly timeoutMs: number }
  | {
      readonly type: 'writeProfile'
      readonly profile: 'heap' | 'cpu' | 'block'
      readonly path: string
      readonly seconds: number
    }
  | { readonly type: 'startProfile'; readonly profile: 'cpu' | 'trace'; readonly path: string }
  | { readonly type: 'stopProfile'; readonly profile: 'cpu' | 'trace' }
  | { readonly type: 'blockRate'; readonly rate: number }
  | { readonly type: 'stacks' }
  | { readonly type: 'collectGarbage' }
  | { readonly type: 'garbageStatistics' }
  | { readonly type: 'garbagePercent'; readonly percent: number }
  | { readonly type: 'memoryStatistics' }
