/**
 * Reads that need more gas than their first slice. Each leaves the core as a `perform` output and
 * runs elsewhere, on the state that it began with; its end comes back as an input `performed`.
 */
import {
  EstimateFailed,
  type CallBlock,
  type EthereumCall,
  type EthereumTrace,
  type EthereumView,
} from '../app/ethereumView.ts'
import type { AppState } from '../app/state.ts'
import { GoPanic } from '../codec/comet.ts'
import { canonicalJson } from '../data/canonicalJson.ts'
import { parseCanonicalJson } from '../data/parseCanonicalJson.ts'
import { isExpected, SimError } from '../errors.ts'
import type { EvmResult } from '../evm/types.ts'

/** One execution, by the function of `EthereumView` that does it. */
export type LongWork =
  | { readonly part: 'call'; readonly given: EthereumCall }
  | { readonly part: 'series'; readonly given: readonly CallBlock[] }
  | { readonly part: 'estimate'; readonly given: EthereumCall }
  | { readonly part: 'trace'; readonly given: EthereumTrace }

/** An execution and the state that it runs on. Immutable, so it can be done at any time. */
export type LongRead = { readonly work: LongWork; readonly state: AppState }

/** How an execution ended: with its value, an error, or because its time (`evm-timeout`) was over. */
export type LongReadEnd =
  | { readonly ended: 'value'; readonly value: unknown }
  | { readonly ended: 'estimateFailed'; readonly message: string; readonly result?: EvmResult }
  | { readonly ended: 'panic'; readonly message: string }
  | { readonly ended: 'refused'; readonly code: string; readonly message: string; readonly hint?: string }
  | { readonly ended: 'timeout' }

/** Returns how an execution ends on a view. Throws only what is a bug. */
export function endOfLongRead(view: EthereumView, { work, state }: LongRead): LongReadEnd {
  try {
    return { ended: 'value', value: worked(view, state, work) }
  } catch (error) {
    if (error instanceof EstimateFailed) {
      const { message, result } = error
      return { ended: 'estimateFailed', message, ...(result && { result }) }
    }
    if (error instanceof GoPanic) return { ended: 'panic', message: error.message }
    if (!isExpected(error)) throw error
    const { code, message, hint } = error
    return { ended: 'refused', code, message, ...(hint !== undefined && { hint }) }
  }
}

/** What a call changes is of no use to a read. */
function worked(view: EthereumView, state: AppState, work: LongWork): unknown {
  switch (work.part) {
    case 'call':
      return { ...view.call(state, work.given), diff: [] }
    case 'series':
      return view.series(state, work.given).map((block) => block.map((result) => ({ ...result, diff: [] })))
    case 'estimate':
      return view.estimate(state, work.given)
    case 'trace':
      return view.trace(state, work.given)
  }
}

/** Returns an end as the text of a `performed` input. */
export function longReadEndText(end: LongReadEnd): string {
  return canonicalJson(end)
}

/**
 * Returns the value of an execution that ended, from the text of its end. Throws the error that it
 * ended with; `onTimeout` makes the one for a time that was over.
 */
export function longReadValue(text: string, onTimeout: () => Error): unknown {
  const end = parseCanonicalJson(text) as LongReadEnd
  switch (end.ended) {
    case 'value':
      return end.value
    case 'estimateFailed':
      throw new EstimateFailed(end.message, end.result)
    case 'panic':
      throw new GoPanic(end.message)
    case 'refused':
      throw new LongReadRefused(end.code, end.message, end.hint)
    case 'timeout':
      throw onTimeout()
  }
}

/** An error that an execution elsewhere ended with. */
class LongReadRefused extends SimError {
  constructor(code: string, message: string, hint: string | undefined) {
    super(code, message, hint === undefined ? {} : { hint })
  }
}
