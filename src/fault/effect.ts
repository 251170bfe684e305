/** The effect on a call, push or handshake that a rule selects (`mocks.md` §3.3). */
import type { WireEffect } from './wire.ts'

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
      /** `"$id"` stands for the id of the call, or null if it has none. */
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
  /** Sends no response and closes the connection after `afterMs` milliseconds. */
  | { readonly type: 'timeout'; readonly afterMs: number }
  | Extract<WireEffect, { readonly type: 'framing' | 'dribble' | 'hang' | 'slowClose' | 'reset' }>

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

export type EffectOf<Type extends FaultEffect['type']> = Extract<FaultEffect, { readonly type: Type }>

/**
 * The change of a response. Calls and transports know these parts and no effects, so an effect that
 * combines parts needs no code of theirs. `message` and `wire` affect the whole response of a batch.
 */
export type ReplyFault = {
  /** Whether the call is executed before the response is damaged; else `at` of the rule decides. */
  readonly runsCall?: boolean
  /** Whether the answer of an executed call stays, for the parts below it to damage. */
  readonly keepsAnswer?: boolean
  /** Changes the answer to the call. */
  readonly answer?: Omit<EffectOf<'rpcError'>, 'type'> | { readonly changes: EffectOf<'result'>['changes'] }
  /** Replaces or damages the message around the answers. */
  readonly message?: Omit<EffectOf<'http'>, 'type'> | { readonly damage: BodyDamage }
  /** Breaks the transport below the message. */
  readonly wire?: WireEffect
  /** Milliseconds from the request to the response, on top of all latencies. */
  readonly afterMs?: number
  /** Whether the client cannot read the response. */
  readonly isUnreadable?: boolean
  /** Whether nothing tells the client that the response is lost, so that it retries late. */
  readonly isSilent?: boolean
}

const damaged: ReplyFault = { runsCall: true, keepsAnswer: true }
const unreadable: ReplyFault = { ...damaged, isUnreadable: true }

/** One row for each effect: what it is about, and how it changes the response to a call. */
const effects: {
  readonly [Type in FaultEffect['type']]: {
    readonly about: 'call' | 'view' | 'socket'
    readonly reply?: (effect: EffectOf<Type>) => ReplyFault
  }
} = {
  latency: { about: 'call' },
  latencyTable: { about: 'call' },
  stale: { about: 'view' },
  indexLag: { about: 'view' },
  http: { about: 'call', reply: (message) => ({ message }) },
  rpcError: { about: 'call', reply: (answer) => ({ answer }) },
  result: { about: 'call', reply: ({ changes }) => ({ ...damaged, answer: { changes } }) },
  body: {
    about: 'call',
    reply: ({ damage }) => ({
      ...unreadable,
      message: { damage },
      ...(damage === 'empty' && { wire: { type: 'empty' } }),
    }),
  },
  framing: { about: 'call', reply: (wire) => ({ ...unreadable, wire }) },
  dribble: { about: 'call', reply: (wire) => ({ ...damaged, wire }) },
  slowClose: { about: 'call', reply: (wire) => ({ ...damaged, wire }) },
  hang: { about: 'call', reply: (wire) => ({ wire, isSilent: true }) },
  timeout: { about: 'call', reply: ({ afterMs }) => ({ wire: { type: 'end' }, afterMs, isSilent: true }) },
  reset: {
    about: 'call',
    reply: (wire) => ({
      wire,
      runsCall: wire.when !== 'beforeHeaders',
      keepsAnswer: true,
      isUnreadable: wire.when !== 'afterBody',
    }),
  },
  wsDrop: { about: 'socket' },
  wsDelay: { about: 'socket' },
  wsDuplicate: { about: 'socket' },
  wsReorder: { about: 'socket' },
  wsStall: { about: 'socket' },
  wsClose: {
    about: 'socket',
    reply: ({ code, reason, midFrame }) => ({
      wire: { type: 'close', code, reason, ...(midFrame ? { midFrame } : {}) },
    }),
  },
  wsCancel: { about: 'socket' },
  wsRefuse: { about: 'socket' },
  refuse: { about: 'socket', reply: () => ({ wire: { type: 'reset', when: 'beforeHeaders' } }) },
}

/** Returns whether an effect is about connections and pushes, not about responses. */
export function isSocketEffect(effect: FaultEffect): effect is SocketEffect {
  return effects[effect.type].about === 'socket'
}

/** Returns whether an effect changes the chain that a call sees. */
export function isViewEffect(effect: FaultEffect): effect is ViewEffect {
  return effects[effect.type].about === 'view'
}

/** Returns whether an effect can change the response to a call. */
export function changesReply(effect: FaultEffect): boolean {
  return effects[effect.type].reply !== undefined
}

/** Returns how an effect changes the response to a call; an empty object if it does not. */
export function replyFaultOf(effect: FaultEffect | undefined): ReplyFault {
  if (effect === undefined) return {}
  const { reply } = effects[effect.type] as { readonly reply?: (effect: FaultEffect) => ReplyFault }
  return reply?.(effect) ?? {}
}
