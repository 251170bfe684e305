/** What happens to a call, a push or a handshake that a rule selects (`mocks.md` §3.3). */

export type FaultEffect = CallEffect | ViewEffect | SocketEffect

/** What happens to a call: latencies add up, the first of the others wins. */
export type CallEffect =
  | { readonly type: 'latency'; readonly minMs: bigint; readonly maxMs: bigint }
  /** One of the entries, each as likely as the others (`distribution.ts`). */
  | { readonly type: 'latencyTable'; readonly ms: readonly bigint[] }
  | {
      readonly type: 'http'
      readonly status: number
      /** `$retryAfter` in a header stands for whole seconds until the client may ask again. */
      readonly headers: readonly (readonly [string, string])[]
      /** `$id` stands for the id of the call. */
      readonly body: string
    }
  | {
      readonly type: 'rpcError'
      readonly code: number
      readonly message: string
      readonly data?: string
    }
  /** The answer is true but for some places in its result. */
  | { readonly type: 'result'; readonly changes: readonly ResultChange[] }
  /** The body of the response is lost, cut in half, or no longer JSON. */
  | { readonly type: 'body'; readonly damage: BodyDamage }
  /** What HTTP or WebSocket framing itself no longer holds together. */
  | { readonly type: 'framing'; readonly damage: FramingDamage }
  | { readonly type: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly type: 'hang' }
  /** Nothing is answered, and after a while the connection ends. */
  | { readonly type: 'timeout'; readonly afterMs: number }
  /** The answer is whole, but ends with its connection, which is a while later. */
  | { readonly type: 'slowClose'; readonly afterMs: number }
  | { readonly type: 'reset'; readonly when: 'beforeHeaders' | 'midBody' | 'afterBody' }

/**
 * `path` is a JSON pointer, '' for all of it; `value` is JSON text. In a list `add` moves what
 * follows.
 */
export type ResultChange = {
  readonly path: string
  readonly change: 'add' | 'remove' | 'replace'
  readonly value: string
}

export type BodyDamage = 'empty' | 'truncate' | 'json'
export type FramingDamage = 'chunk' | 'utf8' | 'contentLength'

/** The call is carried out on a node that does not know everything yet. */
export type ViewEffect =
  /** As of some blocks, or some time, ago; with `flip` every other call sees all. */
  | { readonly type: 'stale'; readonly lag: Lag; readonly flip: boolean }
  /** Blocks are there, and what searches and receipts need of the newest is not yet. */
  | { readonly type: 'indexLag'; readonly lag: Lag }

export type Lag = { readonly unit: 'ms' | 'blocks'; readonly count: bigint }

/** What happens to connections and to the events they carry. */
export type SocketEffect =
  | { readonly type: 'wsDrop' }
  | { readonly type: 'wsDelay'; readonly minMs: bigint; readonly maxMs: bigint }
  | { readonly type: 'wsDuplicate'; readonly copies: number }
  /** As many events as the window holds are kept, then sent in another order. */
  | { readonly type: 'wsReorder'; readonly window: number }
  /** Events are kept while the rule is on; the connection stays as it is. */
  | { readonly type: 'wsStall'; readonly backlog: 'deliver' | 'discard' }
  | {
      readonly type: 'wsClose'
      readonly code: number
      readonly reason: string
      /** Half of a frame is sent first. */
      readonly midFrame: boolean
      readonly refuseFor: Lag | undefined
    }
  /** The subscription ends: CometBFT says so, Ethereum JSON-RPC falls silent. */
  | { readonly type: 'wsCancel'; readonly reason: string }
  | { readonly type: 'wsRefuse'; readonly status: number }
  /** Nothing listens any more. */
  | { readonly type: 'refuse' }

const socketEffects: ReadonlySet<string> = new Set<SocketEffect['type']>([
  'wsDrop',
  'wsDelay',
  'wsDuplicate',
  'wsReorder',
  'wsStall',
  'wsClose',
  'wsCancel',
  'wsRefuse',
  'refuse',
])

/** Says whether an effect is about connections and pushes, not about answers. */
export function isSocketEffect(effect: FaultEffect): effect is SocketEffect {
  return socketEffects.has(effect.type)
}

/** Says whether an effect changes what a call sees of the chain. */
export function isViewEffect(effect: FaultEffect): effect is ViewEffect {
  return effect.type === 'stale' || effect.type === 'indexLag'
}
