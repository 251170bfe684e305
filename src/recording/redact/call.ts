/**
 * What of a call may stand in a recording; live calls are cut the same way, so that they still
 * match.
 */
import type { Names, SentCall } from '../playback/callKey.ts'

/** Methods whose parameters are passwords and keys. */
const secret = /^(?:personal_|admin_|clique_|parity_)/

/** Returns a call without what may not be kept: `names` are the parameters that its method has. */
export function redactCall(call: SentCall, names: Names): SentCall {
  const { method, params } = call
  if (secret.test(method)) {
    return { ...call, params: typeof params === 'string' ? '["[redacted]"]' : new Map() }
  }
  return typeof params === 'string' ? call : { ...call, params: knownPairs(params, names(method)) }
}

/** Query strings carry keys of services too: only what the method takes is kept. */
function knownPairs(
  pairs: ReadonlyMap<string, string>, known: readonly string[],
): ReadonlyMap<string, string> {
  return new Map([...pairs].filter(([name]) => known.includes(name)))
}
