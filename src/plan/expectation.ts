/** Expectations of steps. */
import type { Side } from '../settings/side.ts'
import type { Span } from './action.ts'
import type { CallMatch, Counter } from './trigger.ts'

/** `within` makes an expectation eventual: it must hold once within the span. */
export type Expectation = { readonly within: Span | undefined; readonly source: string } & Expected

export type Expected =
  | { readonly type: 'height'; readonly min: bigint | undefined; readonly max: bigint | undefined }
  | {
      readonly type: 'balance'
      readonly who: string
      /** The default is the denom that pays for gas, if `token` is absent too. */
      readonly denom?: string
      /** An ERC-20 contract by its name or address. */
      readonly token?: string
      readonly min: bigint | undefined
      readonly max: bigint | undefined
    }
  | {
      readonly type: 'faultApplied'
      readonly name: string
      readonly min: number
      readonly max: number | undefined
    }
  /** The count since the step `since` began; by default since the scenario began. */
  | ({
      readonly type: 'counted'
      readonly min: number
      readonly max: number | undefined
      readonly since: string | undefined
    } & Counter)
  /** The pace of calls: a minimum distance, or a maximum number per period. */
  | {
      readonly type: 'pace'
      readonly match: CallMatch
      readonly text: string
      readonly since: string | undefined
      readonly by: 'all' | 'session' | 'client+request'
      readonly limit:
        | { readonly apartMs: bigint }
        | {
            readonly most: number
            readonly perMs: bigint
          }
    }
  /** Log queries that together cover every block of a range; heights are JSON texts. */
  | {
      readonly type: 'covers'
      readonly match: CallMatch
      readonly text: string
      readonly since: string | undefined
      readonly from: string
      readonly to: string
    }
  | {
      readonly type: 'rpc'
      readonly side: Side
      readonly method: string
      readonly params: string
      readonly path: string
      readonly wanted: WantedAnswer
      /**
       * Set for methods that send something: the call is made once, when its step begins, and the
       * expectation waits for the response.
       */
      readonly once?: string
    }
  /** Responses that clients received, after faults; `wanted` can also be a status or nothing. */
  | {
      readonly type: 'given'
      readonly match: CallMatch
      readonly text: string
      readonly since: string | undefined
      readonly path: string
      readonly wanted: WantedAnswer | { readonly is: 'status'; readonly status: number } | { readonly is: 'nothing' }
      readonly min: number
      readonly max: number | undefined
    }
  /** A transaction by its name or hash. */
  | { readonly type: 'tx'; readonly which: string; readonly status: TxStatus }
  | { readonly type: 'phase'; readonly name: string }
  /** The digest of the chain: the hash of its last block and its state. */
  | { readonly type: 'digest'; readonly hex: string }
  /** The expectation `of` must not hold at any time within the span. */
  | { readonly type: 'never'; readonly of: Expected; readonly span: Span }
  | { readonly type: 'any' | 'all'; readonly of: readonly Expected[] }

/** Values are JSON texts. For an error, all members that are set must match. */
export type WantedAnswer =
  | { readonly is: 'equal' | 'different'; readonly value: string }
  | { readonly is: 'between'; readonly min: bigint | undefined; readonly max: bigint | undefined }
  | { readonly is: 'matching'; readonly pattern: string }
  | {
      readonly is: 'error'
      readonly code: number | undefined
      readonly includes: string | undefined
      readonly pattern: string | undefined
    }

export type TxStatus = 'pending' | 'held' | 'included' | 'success' | 'failed' | 'absent'
