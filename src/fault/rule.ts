/**
 * What may go wrong on purpose (`mocks.md` §3.3): a rule says which calls, pushes and handshakes it
 * matches, which of them it selects, and what happens to those. All of it is data; `decide.ts` and
 * `decidePush.ts` are the ones that judge.
 */
import type { FaultEffect } from './effect.ts'
import type { Side } from '../settings/side.ts'

export type FaultRule = {
  readonly name: string
  readonly match: FaultMatch
  readonly select: FaultSelect
  /** `before`: the request is lost; `after`: it was carried out and its answer is lost. */
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
  /** JSON text of which the parameters must hold at least this much. */
  readonly params?: string
  readonly session?: string
  readonly origin?: string
  readonly userAgent?: string
  /** Kinds (`newHeads`) or queries (`tm.event = 'Tx'`). */
  readonly subscriptions?: readonly string[]
  readonly batch?: 'single' | 'batch'
}

/** `per` says whether a call with its retries counts once, or every attempt of it. */
export type FaultSelect =
  | { readonly type: 'all' }
  | {
      readonly type: 'window'
      readonly skip: number
      readonly count: number | undefined
      readonly per: 'call' | 'attempt'
    }
  /** Drawn by the number of matching calls, or by who asks for what. */
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
      /** A bucket fills all the time, a fixed window all at once. */
      readonly counting: 'bucket' | 'window'
    }
  /** On and off by turns, beginning with the first that matches. */
  | {
      readonly type: 'schedule'
      readonly unit: 'ms' | 'blocks'
      readonly on: bigint
      readonly off: bigint
    }

/** Whose calls share a limit. */
export type RateKey = 'all' | 'session' | 'ip' | 'connection' | { readonly header: string }

/** Which rules are on; `untilMs` and `untilHeight` end one by themselves, `once` its first hit. */
export type ActiveFault = {
  readonly rule: FaultRule
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
  readonly once?: boolean
}

/**
 * Progress of the rules: how often each matched and applied, and its buckets. Survives a reload by
 * name.
 */
export type FaultState = {
  readonly active: readonly ActiveFault[]
  readonly counts: ReadonlyMap<string, FaultCount>
  /** Calls whose last attempt was faulted, by `callKey`: the next one is a retry. */
  readonly open: ReadonlyMap<string, OpenCall>
  /** Faults that nobody noticed, oldest first; only the last are kept. */
  readonly masked: readonly Masked[]
  /** How many there were in all. */
  readonly maskedCount: number
  /** Handshakes that are refused after a connection was cut. */
  readonly refusals: readonly Refusal[]
}

export type FaultCount = {
  readonly matched: number
  /** The same without retries. */
  readonly calls: number
  readonly applied: number
  /** How often a retry succeeded, so that the client may not have noticed. */
  readonly masked: number
  readonly buckets: ReadonlyMap<string, Bucket>
  /** How often each client has asked for each thing. */
  readonly keyed: ReadonlyMap<string, number>
  /** Time and height of the first that matched. */
  readonly first: { readonly timeMs: bigint; readonly height: bigint } | undefined
}

export type Bucket = { readonly tokens: number; readonly refilledAtMs: bigint }

/**
 * `selected` are the rules that chose the call when it was first tried, `faults` those that hit it.
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
  /** How many attempts it took, the one that succeeded included. */
  readonly attempts: number
  readonly timeMs: bigint
}

export type Refusal = {
  readonly name: string
  readonly match: FaultMatch
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
}

/** Who is at the other end; headers are those that a rule asks for, by lower-case name. */
export type FaultClient = {
  readonly ip: string
  readonly origin: string | undefined
  readonly userAgent: string
  readonly headers: Readonly<Record<string, string>>
}

/** Of whom nothing is known: calls of a scenario or of this program. */
export const noClient: FaultClient = { ip: '', origin: undefined, userAgent: '', headers: {} }

/** What is judged, of calls, pushes and handshakes alike. */
export type FaultSubject = {
  readonly side: Side
  readonly transport: 'http' | 'ws'
  readonly session: string
  readonly connection: number | undefined
  readonly client: FaultClient
  readonly timeMs: bigint
  readonly height: bigint
}

/** `params` is JSON text; `subscription` what a call or push is about, if it is about one. */
export type FaultCall = FaultSubject & {
  readonly method: string
  readonly params: string
  readonly subscription: string | undefined
  readonly isBatch: boolean
  /** Number of the request that it came in: calls of one batch are no retries of each other. */
  readonly request: number
}

export type FaultPush = FaultSubject & {
  readonly subscription: string
  /** Of the block that it is about. */
  readonly ofHeight?: bigint
}

/**
 * The verdict: latencies add up, the first terminal effect wins, `applied` names every rule that
 * hit.
 */
export type FaultDecision = {
  readonly applied: readonly string[]
  readonly delayMs: bigint
  readonly at: 'before' | 'after'
  readonly terminal: FaultEffect | undefined
  readonly cors: 'keep' | 'strip'
  /** What the call sees of the chain, when that is not all of it. */
  readonly views: readonly Extract<FaultEffect, { type: 'stale' | 'indexLag' }>[]
  /** When a limited client may ask again, in milliseconds from now. */
  readonly retryAfterMs: bigint
  /** 1 for the first try of a call. */
  readonly attempt: number
}
