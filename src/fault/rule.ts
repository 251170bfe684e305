/**
 * What may go wrong on purpose (`mocks.md` §3.3): a rule says which calls it matches, which of them
 * it selects, and what happens to those. All of it is data; `decide.ts` is the one that judges.
 */
export type FaultRule = {
  readonly name: string
  readonly match: FaultMatch
  readonly select: FaultSelect
  /** `before`: the request is lost; `after`: it was carried out and its answer is lost. */
  readonly at: 'before' | 'after'
  readonly effects: readonly FaultEffect[]
  readonly cors: 'keep' | 'strip'
}

/** Absent members match everything. `methods` and `except` take `*` as a wildcard. */
export type FaultMatch = {
  readonly sides?: readonly ('comet' | 'eth')[]
  readonly transport?: 'http' | 'ws'
  readonly methods?: readonly string[]
  readonly except?: readonly string[]
  readonly session?: string
}

export type FaultSelect =
  | { readonly type: 'all' }
  | { readonly type: 'window'; readonly skip: number; readonly count: number | undefined }
  | { readonly type: 'probability'; readonly numerator: bigint; readonly denominator: bigint }
  | { readonly type: 'rate'; readonly limit: number; readonly perMs: bigint; readonly burst: number }

export type FaultEffect =
  | { readonly type: 'latency'; readonly minMs: bigint; readonly maxMs: bigint }
  /** One of the entries, each as likely as the others (`distribution.ts`). */
  | { readonly type: 'latencyTable'; readonly ms: readonly bigint[] }
  | {
      readonly type: 'http'
      readonly status: number
      readonly headers: readonly (readonly [string, string])[]
      /** `$id` stands for the id of the call. */
      readonly body: string
    }
  | { readonly type: 'rpcError'; readonly code: number; readonly message: string; readonly data?: string }
  /** The answer is true but for one place in its result, or all of it (`path` is a JSON pointer). */
  | { readonly type: 'result'; readonly path: string; readonly change: 'remove' | 'replace'; readonly value: string }
  /** The body of the response is lost, cut in half, or no longer JSON. */
  | { readonly type: 'body'; readonly damage: BodyDamage }
  /** What HTTP itself no longer holds together; over WebSocket the answer does not come. */
  | { readonly type: 'framing'; readonly damage: FramingDamage }
  | { readonly type: 'dribble'; readonly bytes: number; readonly everyMs: number }
  | { readonly type: 'hang' }
  | { readonly type: 'reset'; readonly when: 'beforeHeaders' | 'midBody' | 'afterBody' }

export type BodyDamage = 'empty' | 'truncate' | 'json'
export type FramingDamage = 'chunk' | 'utf8' | 'contentLength'

/** Which rules are on; `untilMs` and `untilHeight` end one by themselves. */
export type ActiveFault = {
  readonly rule: FaultRule
  readonly untilMs: bigint | undefined
  readonly untilHeight: bigint | undefined
}

/** Progress of the rules: how often each matched and applied, and its bucket. Survives a reload by name. */
export type FaultState = {
  readonly active: readonly ActiveFault[]
  readonly counts: ReadonlyMap<string, FaultCount>
}

export type FaultCount = {
  readonly matched: number
  readonly applied: number
  readonly tokens: number
  readonly refilledAtMs: bigint
}

/** The call that is judged. */
export type FaultCall = {
  readonly side: 'comet' | 'eth'
  readonly transport: 'http' | 'ws'
  readonly method: string
  readonly session: string
  readonly timeMs: bigint
  readonly height: bigint
}

/** The verdict: latencies add up, the first terminal effect wins, `applied` names every rule that hit. */
export type FaultDecision = {
  readonly applied: readonly string[]
  readonly delayMs: bigint
  readonly at: 'before' | 'after'
  readonly terminal: FaultEffect | undefined
  readonly cors: 'keep' | 'strip'
}
