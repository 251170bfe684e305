/**
 * Redacts calls for a recording. Live calls are redacted the same way, so that they still match.
 */
import { mayCarrySecrets } from '../rpc/anyMethod.ts'
import type { ParameterNames, SentCall } from './playback/callKey.ts'

/** Returns a call without secrets. `names` gives the parameters that its method takes. */
export function redactCall(call: SentCall, names: ParameterNames): SentCall {
  const { method, params } = call
  if (mayCarrySecrets(method)) {
    return { ...call, params: typeof params === 'string' ? '["[redacted]"]' : new Map() }
  }
  return typeof params === 'string' ? call : { ...call, params: knownPairs(params, names(method)) }
}

/** Keeps only query parameters that the method takes, because others may be API keys. */
function knownPairs(pairs: ReadonlyMap<string, string>, known: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...pairs].filter(([name]) => known.includes(name)))
}
