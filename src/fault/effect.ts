/** The effect on a call, push or handshake that a rule selects (`mocks.md` §3.3). */

export type FaultEffect = CallEffect | ViewEffect | SocketEffect

/** Effects on a call: latencies add up, of the others the first wins. */
export type CallEffect =
  | { readonly type: 'latency'; readonly minMs: bigint; readonly maxMs: bigint }
  /** A draw from equally likely entries (`distribution.ts`). */
  | { readonly type: 'latencyTable'; readonly ms: readonly bigint[] }
  | {
      readonly type: 'http'
      readonly status: number
      /** `$retryAfter` in a header stands for the whole seconds until the client may retry. */
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
  /** Changes parts of an otherwise correct result. */
  | { readonly type: 'result'; readonly changes: readonly ResultChange[] }
  /** Drops the response body, cuts it in half, or makes it invalid JSON. */
  | { readonly type: 'body'; readonly damage: BodyDamage }
  /** Breaks the HTTP or WebSocket framing. */
  | { readonly type: 'framing'; readonly damage: FramingDamage }
  | { readonly type: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly type: 'hang' }
  /** Sends no response and closes the connection after `afterMs` milliseconds. */
  | { readonly type: 'timeout'; readonly afterMs: number }
  /**
   * Sends the whole response, delimited by the end of the connection `afterMs` milliseconds later.
   */
  | { readonly type: 'slowClose'; readonly afterMs: number }
  | { readonly type: 'reset'; readonly when: 'beforeHeaders' | 'midBody' | 'afterBody' }

/**
 * A change of a result. `path` is a JSON pointer, '' for the whole result; `value` is JSON text. In
 * a list, `add` shifts the elements after it.
 */
export type ResultChange = {
  readonly path: string
  readonly change: 'add' | 'remove' | 'replace'
  readonly value: string
}

export type BodyDamage = 'empty' | 'truncate' | 'json'
export type FramingDamage = 'chunk' | 'utf8' | 'contentLength'

/** Effects that run the call on a lagging node. */
export type ViewEffect =
  /**
   * Shows the chain as of some blocks, or some time, ago; with `flip` every other call sees the
   * current chain.
   */
  | { readonly type: 'stale'; readonly lag: Lag; readonly flip: boolean }
  /** Shows the newest blocks, but leaves them out of searches and receipts. */
  | { readonly type: 'indexLag'; readonly lag: Lag }

export type Lag = { readonly unit: 'ms' | 'blocks'; readonly count: bigint }

/** Effects on connections and their events. */
export type SocketEffect =
  | { readonly type: 'wsDrop' }
  | { readonly type: 'wsDelay'; readonly minMs: bigint; readonly maxMs: bigint }
  | { readonly type: 'wsDuplicate'; readonly copies: number }
  /** Collects `window` events, then sends them in a different order. */
  | { readonly type: 'wsReorder'; readonly window: number }
  /** Holds events back while the rule is on; the connection stays open. */
  | { readonly type: 'wsStall'; readonly backlog: 'deliver' | 'discard' }
  | {
      readonly type: 'wsClose'
      readonly code: number
      readonly reason: string
      /** Sends half a frame before the close. */
      readonly midFrame: boolean
      readonly refuseFor: Lag | undefined
    }
  /**
   * Cancels the subscription: CometBFT RPC sends an error, Ethereum JSON-RPC just stops sending.
   */
  | { readonly type: 'wsCancel'; readonly reason: string }
  | { readonly type: 'wsRefuse'; readonly status: number }
  /** Closes the listener. */
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

/** Returns whether an effect is about connections and pushes, not about responses. */
export function isSocketEffect(effect: FaultEffect): effect is SocketEffect {
  return socketEffects.has(effect.type)
}

/** Returns whether an effect changes the chain that a call sees. */
export function isViewEffect(effect: FaultEffect): effect is ViewEffect {
  return effect.type === 'stale' || effect.type === 'indexLag'
}
