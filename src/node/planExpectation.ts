/** What steps expect. */
import type { Side } from '../settings/side.ts'
import type { Span } from './planAction.ts'
import type { CallMatch, Counter } from './planTrigger.ts'

/** `within` makes an expectation eventual: it must hold once before the span is over. */
export type Expectation = { readonly within: Span | undefined; readonly source: string } & Expected

export type Expected =
  | { readonly type: 'height'; readonly min: bigint | undefined; readonly max: bigint | undefined }
  | {
      readonly type: 'balance'
      readonly who: string
      /** Of the coin that pays for gas, where neither is said. */
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
  /** Since a step began; without one, since the scenario did. */
  | ({
      readonly type: 'counted'
      readonly min: number
      readonly max: number | undefined
      readonly since: string | undefined
    } & Counter)
  /** How close together calls are: at least so far apart, or at most so many in so long. */
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
  /** Calls for logs that together ask for every block of a range; heights are JSON texts. */
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
      readonly wanted: Wanted
      /** What sends something is asked once, when its step begins, and its answer waited for. */
      readonly once?: string
    }
  /** What clients were given in answer to calls, after faults; `wanted` of a status or nothing. */
  | {
      readonly type: 'given'
      readonly match: CallMatch
      readonly text: string
      readonly since: string | undefined
      readonly path: string
      readonly wanted: Wanted | { readonly is: 'status'; readonly status: number } | { readonly is: 'nothing' }
      readonly min: number
      readonly max: number | undefined
    }
  /** A transaction by its name or hash. */
  | { readonly type: 'tx'; readonly which: string; readonly status: TxStatus }
  | { readonly type: 'phase'; readonly name: string }
  /** Of the chain: the hash of its last block and of its state. */
  | { readonly type: 'digest'; readonly hex: string }
  /** It must not hold for a span. */
  | { readonly type: 'never'; readonly of: Expected; readonly span: Span }
  | { readonly type: 'any' | 'all'; readonly of: readonly Expected[] }

/** Values are JSON texts. `error` are members that the error must have. */
export type Wanted =
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
