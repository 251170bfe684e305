/**
 * Long reads: reads that need more gas than their first slice. Each leaves the core as a `perform`
 * output and runs elsewhere, on the state it started with. Its result comes back as an input
 * `performed`.
 */
import {
  EstimateFailed,
  type BlockTraces,
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

/** One execution, named by the function of `EthereumView` that runs it. */
export type LongWork =
  | { readonly part: 'call'; readonly given: EthereumCall }
  | { readonly part: 'series'; readonly given: readonly CallBlock[] }
  | { readonly part: 'estimate'; readonly given: EthereumCall }
  | { readonly part: 'trace'; readonly given: EthereumTrace }
  | { readonly part: 'blockTraces'; readonly given: Omit<BlockTraces, 'state'> }

/** An execution and its state. Both are immutable, so the execution can run at any time. */
export type LongRead = { readonly work: LongWork; readonly state: AppState }

/**
 * The result of an execution: a value, an error, or a timeout (`evm-timeout`). Or that of several: what the read made
 * of their results.
 */
export type LongReadEnd =
  | { readonly ended: 'value'; readonly value: unknown }
  | { readonly ended: 'together'; readonly value: unknown }
  | { readonly ended: 'estimateFailed'; readonly message: string; readonly result?: EvmResult }
  | { readonly ended: 'panic'; readonly message: string }
  | { readonly ended: 'refused'; readonly code: string; readonly message: string; readonly hint?: string }
  | { readonly ended: 'timeout' }

/** Returns the result of an execution on a view. Throws only bugs. */
export function endOfLongRead(view: EthereumView, { work, state }: LongRead): LongReadEnd {
  try {
    return { ended: 'value', value: worked(view, state, work) }
  } catch (error) {
    return failedEnd(error)
  }
}

/** Returns the result of an execution that failed, as plain data. Rethrows a bug. */
export function failedEnd(error: unknown): LongReadEnd {
  if (error instanceof EstimateFailed) {
    const { message, result } = error
    return { ended: 'estimateFailed', message, ...(result && { result }) }
  }
  if (error instanceof GoPanic) return { ended: 'panic', message: error.message }
  if (!isExpected(error)) throw error
  const { code, message, hint } = error
  return { ended: 'refused', code, message, ...(hint !== undefined && { hint }) }
}

/** Returns the results of the traces of a block, as plain data. */
export function endsOfTraces(view: EthereumView, asked: BlockTraces): readonly LongReadEnd[] {
  return view
    .blockTraces(() => asked)
    .map((end) => ('error' in end ? failedEnd(end.error) : { ended: 'value', value: end.json }))
}

/** Runs an execution. State changes of a call are discarded, because it is a read. */
function worked(view: EthereumView, state: AppState, work: LongWork): unknown {
  switch (work.part) {
    case 'call':
      return { ...view.call(state, work.given), diff: [] }
    case 'series':
      return view
        .series(state, work.given)
        .map((end) => ({ ...end, results: end.results.map((result) => ({ ...result, diff: [] })) }))
    case 'estimate':
      return view.estimate(state, work.given)
    case 'trace':
      return view.trace(state, work.given)
    case 'blockTraces':
      return endsOfTraces(view, { state, ...work.given })
  }
}

/** Returns a result as the text of a `performed` input. */
export function longReadEndText(end: LongReadEnd): string {
  return canonicalJson(end)
}

/** Returns the result in the text of a `performed` input. */
export function longReadEndOf(text: string): LongReadEnd {
  return parseCanonicalJson(text) as LongReadEnd
}

/**
 * Returns the value of an execution from its result. Throws the error that the execution ended with, or
 * the one that `onTimeout` makes after a timeout.
 */
export function longReadValue(end: LongReadEnd, onTimeout: () => Error): unknown {
  switch (end.ended) {
    case 'value':
    case 'together':
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

/** The error of an execution that ran elsewhere. */
class LongReadRefused extends SimError {
  constructor(code: string, message: string, hint: string | undefined) {
    super(code, message, hint === undefined ? {} : { hint })
  }
}
