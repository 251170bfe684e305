/**
 * Anything that leaves. `seq` of a reply is that of the request it answers, however much later it
 * comes. The shell carries outputs out in order and decides nothing.
 */
import type { Side } from '../settings/side.ts'
import type { LongWork } from './longRead.ts'

export type Output =
  | ReplyOutput
  | PushOutput
  /** One text for many: framed once. */
  | { readonly kind: 'broadcast'; readonly connections: readonly number[]; readonly text: string }
  | CloseOutput
  | {
      readonly kind: 'log'
      readonly level: 'debug' | 'info' | 'warn' | 'error'
      readonly text: string
    }
  /**
   * Something only the shell can do; its result comes back as an input `performed` with this id.
   */
  | { readonly kind: 'perform'; readonly id: number; readonly task: Task }
  /** Which listeners are closed from now on; all others are open. */
  | { readonly kind: 'listen'; readonly closed: readonly Listening[] }
  /**
   * When the shell should send the next tick at the latest; absent means nothing is due. `works`:
   * long work is left, so the next tick comes as soon as other inputs have had their turn.
   */
  | { readonly kind: 'wake'; readonly atMs: bigint | undefined; readonly works?: true }

export type Listening = Side | 'ethWs'

export type CloseOutput = {
  readonly kind: 'close'
  readonly connection: number
  /** 1006 stands for a connection that just breaks: it cannot be sent. */
  readonly code: number
  readonly reason: string
  /** Half of a frame is sent first. */
  readonly midFrame?: boolean
}

export type PushOutput = {
  readonly kind: 'push'
  readonly connection: number
  readonly text: string
}

/**
 * Over WebSocket only `body` counts and '' sends nothing. `bytes` is a body that is no text, and
 * stands in its place; `trailers` follow the body. `wire` is what happens below the message;
 * `cors` takes away the headers that let pages of other origins read it.
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

export type WireEffect =
  | { readonly type: 'hang' }
  /** Over WebSocket, a frame without a text. */
  | { readonly type: 'empty' }
  /** The connection ends without an answer. */
  | { readonly type: 'end' }
  /** The answer ends with its connection, which is some time later. */
  | { readonly type: 'slowClose'; readonly afterMs: number }
  /** Over WebSocket: the connection is closed without an answer. */
  | {
      readonly type: 'close'
      readonly code: number
      readonly reason: string
      readonly midFrame?: boolean
    }
  | { readonly type: 'framing'; readonly damage: 'chunk' | 'utf8' | 'contentLength' }
  | { readonly type: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly type: 'reset'; readonly when: 'beforeHeaders' | 'midBody' | 'afterBody' }

export type Task =
  /** Nothing: others have their turn before the result comes back. */
  | { readonly type: 'pause' }
  /** The execution that the owed reply with this id holds (`Owed.read`); 0 is no time limit. */
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
