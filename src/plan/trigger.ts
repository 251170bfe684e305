/** Triggers of steps and rules. */
import type { Side } from '../settings/side.ts'

/**
 * `after` and `blocks` count from the end of the previous step or the last firing; `time` counts
 * from the start.
 */
export type Trigger =
  | { readonly type: 'immediately' }
  | { readonly type: 'height'; readonly height: bigint }
  | { readonly type: 'blocks'; readonly count: bigint }
  | { readonly type: 'after'; readonly ms: bigint }
  | { readonly type: 'time'; readonly ms: bigint }
  /**
   * Fires periodically. The jitter, up to `jitterMs`, is drawn by the number of the firing. With
   * `office-hours`, most firings outside office hours are skipped.
   */
  | {
      readonly type: 'every'
      readonly ms: bigint
      readonly jitterMs: bigint
      readonly profile?: 'office-hours'
    }
  /** Fires at every block; the first is `from` blocks after the previous step. */
  | { readonly type: 'eachBlock'; readonly from: bigint }
  | { readonly type: 'signal'; readonly name: string; readonly orAfterMs: bigint | undefined }
  | { readonly type: 'phase'; readonly name: string }
  | {
      readonly type: 'step'
      readonly id: string
      readonly outcome: 'passed' | 'failed' | undefined
    }
  /** The count since the step `since` began; by default since the wait began. */
  | ({ readonly type: 'counted'; readonly nth: number; readonly since?: string } & Counter)
  | { readonly type: 'any' | 'all'; readonly of: readonly Trigger[] }

/** Something counted while the scenario runs; equal counters share `key` and count. */
export type Counter = { readonly key: string; readonly match: Match; readonly text: string }

/** The events of a counter. Absent members match everything. */
export type Match =
  | ({ readonly type: 'call' } & CallMatch)
  | {
      readonly type: 'tx'
      readonly stage: TxStage
      readonly from?: string
      readonly to?: string
      readonly selector?: Uint8Array
      readonly msgType?: string
      readonly nonce?: bigint
      /**
       * The name that a hold or a send gave the transaction; `replaces` is that of the replaced
       * one.
       */
      readonly name?: string
      readonly replaces?: string
    }
  /** A query in the grammar of CometBFT RPC, matched against the events sent to its subscribers. */
  | { readonly type: 'comet'; readonly query: string }
  /** A null topic matches all; accounts are given by name. */
  | {
      readonly type: 'log'
      readonly contract?: string
      readonly topics: readonly (string | null)[]
    }
  | {
      readonly type: 'ws'
      readonly what: WsMoment
      readonly side?: Side
      readonly queries?: readonly string[]
    }

/**
 * `methods` and `except` take `*` as a wildcard; `params` is JSON text of the parameters that a
 * call must contain.
 */
export type CallMatch = {
  readonly side?: Side
  readonly methods?: readonly string[]
  readonly except?: readonly string[]
  readonly transport?: 'http' | 'ws'
  readonly params?: string
  readonly session?: string
  /** The outcome of the call, or the name of a fault that hit it. */
  readonly outcome?: string
  /** Matches only in this phase of the scenario. */
  readonly phase?: string
}

export type TxStage = 'received' | 'accepted' | 'rejected' | 'held' | 'replaced' | 'included' | 'failed' | 'evicted'

export type WsMoment = 'open' | 'close' | 'subscribe' | 'unsubscribe'
