/**
 * Fault rules (`mocks.md` §3.3). A rule describes the calls, pushes and handshakes it matches, the
 * share of them it selects, and the effects on those. Rules are data; `decide.ts` and
 * `decidePush.ts` evaluate them.
 */
import type { RecentEntries } from '../data/recentEntries.ts'
import type { FaultEffect } from './effect.ts'
import type { Side } from '../settings/side.ts'

export type FaultRule = {
  readonly name: string
  readonly match: FaultMatch
  readonly select: FaultSelect
  /** `before`: the request is lost; `after`: the request is executed and its response is lost. */
  readonly at: 'before' | 'after'
  readonly effects: readonly FaultEffect[]
  readonly cors: 'keep' | 'strip'
}

/** Absent members match everything. Texts take `*` as a wildcard. */
export type FaultMatch = {
  readonly sides?: readonly Side[]
  readonly transport?: 'http' | 'ws'
  readonly methods?: readonly string[]
  readonly except?: readonly string[]
  /** JSON text of parameters that the call must contain; further parameters are ignored. */
  readonly params?: string
  readonly session?: string
  readonly origin?: string
  readonly userAgent?: string
  /** Subscription kinds (`newHeads`) or queries (`tm.event = 'Tx'`). */
  readonly subscriptions?: readonly string[]
  readonly batch?: 'single' | 'batch'
}

/**
 * Selection among matching calls. `per` tells whether a call counts once with its retries, or once
 * per attempt.
 */
export type FaultSelect =
  | { readonly type: 'all' }
  | {
      readonly type: 'window'
      readonly skip: number
      readonly count: number | undefined
      readonly per: 'call' | 'attempt'
    }
  /** Drawn by the number of matching calls, or by client and request. */
  | {
      readonly type: 'probability'
      readonly numerator: bigint
      readonly denominator: bigint
      readonly key: 'count' | 'client+request'
    }
  | {
      readonly type: 'rate'
      readonly limit: number
      readonly perMs: bigint
      readonly burst: number
      readonly by: RateKey
      /** A bucket refills continuously, a fixed window all at once. */
      readonly counting: 'bucket' | 'window'
    }
  /** Alternates between on and off, starting on at the first match. */
  | {
      readonly type: 'schedule'
      readonly unit: 'ms' | 'blocks'
      readonly on: bigint
      readonly off: bigint
    }

/** The scope of a rate limit: calls with the same key share it. */
export type RateKey = 'all' | 'session' | 'ip' | 'connection' | { readonly header: string }

/**
 * A rule to turn on. It ends a time (`forMs`, in milliseconds) or a number of blocks after it is turned on, or with
 * `once` at its first hit; without any of them, when it is turned off.
 */
export type FaultToSet = {
  readonly rule: FaultRule
  readonly forMs?: bigint | undefined
  readonly forBlocks?: bigint | undefined
  readonly once?: boolean | undefined
}

/** A rule that is on. It ends at `untilMs` or `untilHeight`, or with `once` at its first hit. */
export type ActiveFault = {
  readonly rule: FaultRule
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
  readonly once?: boolean
}

/**
 * Progress of the rules: match and hit counts, and rate-limit buckets. A reload keeps it by rule
 * name.
 */
export type FaultState = {
  readonly active: readonly ActiveFault[]
  readonly counts: ReadonlyMap<string, FaultCount>
  /** Calls whose last attempt was faulted, by `attemptKey`; the next attempt is a retry. */
  readonly open: RecentEntries<OpenCall>
  /** Masked faults, oldest first; only the latest are kept. */
  readonly masked: readonly Masked[]
  /** The total number of masked faults. */
  readonly maskedCount: number
  /** Refusals of handshakes after a connection was cut. */
  readonly refusals: readonly Refusal[]
}

export type FaultCount = {
  readonly matched: number
  /** Matches without retries. */
  readonly calls: number
  readonly applied: number
  /** How often a retry succeeded and so masked the fault. */
  readonly masked: number
  readonly buckets: RecentEntries<Bucket>
  /** How often each client has sent each request. */
  readonly keyed: RecentEntries<number>
  /** Time and height of the first match. */
  readonly first: { readonly timeMs: bigint; readonly height: bigint } | undefined
}

export type Bucket = { readonly tokens: number; readonly refilledAtMs: bigint }

/**
 * A call whose last attempt was faulted. `seen` lists the rules that matched its attempts,
 * `selected` those that selected one, and `faults` those that replaced a response.
 */
export type OpenCall = {
  readonly attempts: number
  readonly request: number
  readonly untilMs: bigint
  readonly selected: readonly string[]
  readonly seen: readonly string[]
  readonly faults: readonly string[]
}

export type Masked = {
  readonly faults: readonly string[]
  readonly side: Side
  readonly method: string
  /** Number of attempts, including the one that succeeded. */
  readonly attempts: number
  readonly timeMs: bigint
}

export type Refusal = {
  readonly name: string
  readonly match: FaultMatch
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
}

/** The client of a connection; `headers` holds those that a rule uses, by lower-case name. */
export type FaultClient = {
  readonly ip: string
  readonly origin: string | undefined
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** The unknown client: calls of a scenario or of chainstage itself. */
export const noClient: FaultClient = { ip: '', origin: undefined, userAgent: '', headers: {} }

/** The common part of calls, pushes and handshakes that rules are matched against. */
export type FaultSubject = {
  readonly side: Side
  readonly transport: 'http' | 'ws'
  readonly session: string
  readonly connection: number | undefined
  readonly client: FaultClient
  readonly timeMs: bigint
  readonly height: bigint
}

/** `params` is JSON text; `subscription` is the subscription of the call, if any. */
export type FaultCall = FaultSubject & {
  readonly method: string
  readonly params: string
  readonly subscription: string | undefined
  readonly isBatch: boolean
  /** Number of its request: calls of one batch are not retries of each other. */
  readonly request: number
}

export type FaultPush = FaultSubject & {
  readonly subscription: string
  /** The height of the block that the event is about. */
  readonly ofHeight?: bigint
}

/**
 * The decision for a call: latencies add up, the first terminal effect wins, and `applied` names
 * every rule that hit.
 */
export type FaultDecision = {
  readonly applied: readonly string[]
  readonly delayMs: bigint
  readonly at: 'before' | 'after'
  readonly terminal: FaultEffect | undefined
  readonly cors: 'keep' | 'strip'
  /** Restrictions on the chain that the call sees. */
  readonly views: readonly Extract<FaultEffect, { type: 'stale' | 'indexLag' }>[]
  /** Milliseconds until a rate-limited client may retry. */
  readonly retryAfterMs: bigint
  /** 1 for the first try of a call. */
  readonly attempt: number
}
