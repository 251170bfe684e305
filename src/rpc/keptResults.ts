/**
 * Keeps results of reads while the chain does not change. Pages and tools ask the same again and
 * again, and a development chain often stands still from one transaction to the next.
 */
import type { Chain } from '../chain/chain.ts'
import { toBinaryString } from '../data/binaryString.ts'
import { detached } from '../data/detached.ts'
import type { Settings } from '../settings/settings.ts'
import type { CallRun } from './callRun.ts'
import type { DevDialect } from './devDialects.ts'
import type { WireParams } from './dialect.ts'
import type { Method } from './method.ts'
import { textBudget } from './textBudget.ts'

/** The JSON text of a result, and the gas that its executions used. */
export type KeptResult = { readonly text: string; readonly gas: bigint }

/** Results by the text of a call's parameters. */
export type Results = Map<string, KeptResult>

type ByMethod = Map<Method, Results>

/** Callers of different dialects may get different results. */
type OfChain = { readonly settings: Settings; readonly byDialect: Map<DevDialect | undefined, ByMethod> }

/** Most results of one method, and most characters of the parameters of one. */
const [countMost, paramsMost] = [1000, 4096]

let ofChains = new WeakMap<Chain, OfChain>()
const mayKeep = textBudget({ charactersMost: 16 * 1024 * 1024, longestMost: 1024 * 1024 }, () => {
  ofChains = new WeakMap()
})

/**
 * Returns where the results of a call's method are kept. Returns undefined if the response may depend
 * on more: on a fork, state may first have to be fetched; a call that was resumed has left the core;
 * and a call of a scenario may not leave it.
 */
export function resultsOf(
  { caller, resumed }: CallRun,
  method: Method,
  { chain, settings }: Seen,
): Results | undefined {
  if (method.isKept === undefined || resumed !== undefined || caller.atOnce === true) return undefined
  if (chain.app.forked !== undefined) return undefined
  let own = ofChains.get(chain)
  if (own?.settings !== settings) {
    own = { settings, byDialect: new Map() }
    ofChains.set(chain, own)
  }
  const byMethod = entryOf(own.byDialect, caller.dialect, newByMethod)
  return entryOf(byMethod, method, newResults)
}

const newByMethod = (): ByMethod => new Map()
const newResults = (): Results => new Map()

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

type Seen = { readonly chain: Chain; readonly settings: Settings }

/** Returns parameters as text; equal texts mean equal calls of a method. */
export function paramsKey(params: WireParams): string {
  if (params.form === 'absent') return ''
  if (params.form === 'uri') return `?${JSON.stringify([...params.pairs])}`
  const { text, message, height } = params
  return message === undefined ? text : serviceKey(message, height)
}

/** Two messages with the same JSON may differ in fields that have no JSON form. */
function serviceKey(message: Uint8Array, height = ''): string {
  return `${height} ${toBinaryString(message)}`
}

/**
 * Keeps a result of `resultsOf` until the chain is freed, unless it is too long. Above the limits, the
 * older half of the method's results is dropped, or all results of all chains.
 */
export function keepResult(results: Results, params: string, result: KeptResult): void {
  if (params.length > paramsMost || !mayKeep(params.length + result.text.length)) return
  if (results.size >= countMost) dropOlder(results)
  results.set(detached(params), result)
}

/** Drops half at once: to find the oldest of a map, V8 passes all places of deleted ones. */
function dropOlder(results: Results): void {
  for (const params of results.keys()) {
    results.delete(params)
    if (results.size <= countMost / 2) return
  }
}
