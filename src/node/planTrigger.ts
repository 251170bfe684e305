/** What steps and rules wait for. */
import type { Side } from '../settings/side.ts'

/**
 * `after` and `blocks` count from the end of the step before, or the last time; `time` from the
 * start.
 */
export type Trigger =
  | { readonly type: 'immediately' }
  | { readonly type: 'height'; readonly height: bigint }
  | { readonly type: 'blocks'; readonly count: bigint }
  | { readonly type: 'after'; readonly ms: bigint }
  | { readonly type: 'time'; readonly ms: bigint }
  /**
   * Again and again; what `jitterMs` adds is drawn by the number of the occurrence. Outside of
   * office hours it is left out more often.
   */
  | {
      readonly type: 'every'
      readonly ms: bigint
      readonly jitterMs: bigint
      readonly profile?: 'office-hours'
    }
  /** One block after the other, the first so many blocks after the step before. */
  | { readonly type: 'eachBlock'; readonly from: bigint }
  | { readonly type: 'signal'; readonly name: string; readonly orAfterMs: bigint | undefined }
  | { readonly type: 'phase'; readonly name: string }
  | {
      readonly type: 'step'
      readonly id: string
      readonly outcome: 'passed' | 'failed' | undefined
    }
  /** Since a step began; without one, since the waiting did. */
  | ({ readonly type: 'counted'; readonly nth: number; readonly since?: string } & Counter)
  | { readonly type: 'any' | 'all'; readonly of: readonly Trigger[] }

/** Something that is counted while the scenario runs; equal ones share `key` and count. */
export type Counter = { readonly key: string; readonly match: Match; readonly text: string }

/** What is counted. Absent members match everything. */
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
      /** The name it was given by a hold or a sending, and that of the one it took the place of. */
      readonly name?: string
      readonly replaces?: string
    }
  /** A query in the grammar of CometBFT RPC, on what its subscribers would be sent. */
  | { readonly type: 'comet'; readonly query: string }
  /** `topics` of null match all; accounts keep their names. */
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
 * `methods` and `except` take `*` as a wildcard; `params` is the JSON text of parameters that must
 * be there.
 */
export type CallMatch = {
  readonly side?: Side
  readonly methods?: readonly string[]
  readonly except?: readonly string[]
  readonly transport?: 'http' | 'ws'
  readonly params?: string
  readonly session?: string
  /** How it ended, or the name of a fault that hit it. */
  readonly outcome?: string
  /** Only in this phase of the scenario. */
  readonly phase?: string
}

export type TxStage = 'received' | 'accepted' | 'rejected' | 'held' | 'replaced' | 'included' | 'failed' | 'evicted'

export type WsMoment = 'open' | 'close' | 'subscribe' | 'unsubscribe'
