/**
 * Anything that leaves. `seq` of a reply is that of the request it answers, however much later it
 * comes. The shell carries outputs out in order and decides nothing.
 */
export type Output =
  | ReplyOutput
  | { readonly kind: 'push'; readonly connection: number; readonly text: string }
  /** One text for many: framed once. */
  | { readonly kind: 'broadcast'; readonly connections: readonly number[]; readonly text: string }
  | { readonly kind: 'close'; readonly connection: number; readonly code: number; readonly reason: string }
  | { readonly kind: 'log'; readonly level: 'debug' | 'info' | 'warn' | 'error'; readonly text: string }
  /** Something only the shell can do; its result comes back as an input `performed` with this id. */
  | { readonly kind: 'perform'; readonly id: number; readonly task: Task }
  /** When the shell should send the next tick at the latest; absent means nothing is due. */
  | { readonly kind: 'wake'; readonly atMs: bigint | undefined }

/**
 * Over WebSocket only `body` counts and '' sends nothing. `wire` is what happens below the message;
 * `cors` takes away the headers that let pages of other origins read it.
 */
export type ReplyOutput = {
  readonly kind: 'reply'
  readonly seq: number
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly wire: WireEffect | undefined
  readonly cors?: 'strip'
}

export type WireEffect =
  | { readonly type: 'hang' }
  | { readonly type: 'framing'; readonly damage: 'chunk' | 'utf8' | 'contentLength' }
  | { readonly type: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly type: 'reset'; readonly when: 'beforeHeaders' | 'midBody' | 'afterBody' }

export type Task =
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
