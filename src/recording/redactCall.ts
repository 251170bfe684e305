/**
 * What of a call may stand in a recording; live calls are cut the same way, so that they still
 * match.
 */
import { mayCarrySecrets } from '../rpc/anyMethod.ts'
import type { Names, SentCall } from './playback/callKey.ts'

/** Returns a call without what may not be kept: `names` are the parameters that its method has. */
export function redactCall(call: SentCall, names: Names): SentCall {
  const { method, params } = call
  if (mayCarrySecrets(method)) {
    return { ...call, params: typeof params === 'string' ? '["[redacted]"]' : new Map() }
  }
  return typeof params === 'string' ? call : { ...call, params: knownPairs(params, names(method)) }
}

/** Query strings carry keys of services too: only what the method takes is kept. */
function knownPairs(pairs: ReadonlyMap<string, string>, known: readonly string[]): ReadonlyMap<string, string> {
  return new Map([...pairs].filter(([name]) => known.includes(name)))
}
