import type { ActiveFault, FaultCall, FaultMatch, FaultRule, FaultSubject } from './rule.ts'

/** Returns whether an active rule is still on at this time and height. */
export function isOn(
  { untilMs, untilHeight }: Pick<ActiveFault, 'untilMs' | 'untilHeight'>,
  { timeMs, height }: Pick<FaultSubject, 'timeMs' | 'height'>,
): boolean {
  return (untilMs === undefined || timeMs < untilMs) && (untilHeight === undefined || height < untilHeight)
}

/** Returns whether a rule matches this client and connection. */
export function matchesSubject(match: FaultMatch, subject: FaultSubject): boolean {
  const { sides, transport, session, origin, userAgent } = match
  const { client } = subject
  return (
    (sides === undefined || sides.includes(subject.side)) &&
    (transport === undefined || transport === subject.transport) &&
    (session === undefined || session === subject.session) &&
    (origin === undefined || fits(origin, client.origin ?? '')) &&
    (userAgent === undefined || fits(userAgent, client.userAgent))
  )
}

/** Returns whether a rule matches this call. */
export function matchesCall(match: FaultMatch, call: FaultCall): boolean {
  const { methods, except, params, subscriptions, batch } = match
  return (
    matchesSubject(match, call) &&
    (methods === undefined || methods.some((pattern) => fits(pattern, call.method))) &&
    !(except ?? []).some((pattern) => fits(pattern, call.method)) &&
    (batch === undefined || (batch === 'batch') === call.isBatch) &&
    (subscriptions === undefined || matchesSubscription(subscriptions, call.subscription)) &&
    (params === undefined || holdsParams(JSON.parse(call.params), JSON.parse(params)))
  )
}

/**
 * Returns whether a subscription matches one of the patterns (kinds or queries); spaces in a query
 * are ignored.
 */
export function matchesSubscription(patterns: readonly string[], subscription: string | undefined): boolean {
  if (subscription === undefined) return false
  const plain = subscription.replace(/\s+/g, '')
  return patterns.some((pattern) => fits(pattern.replace(/\s+/g, ''), plain))
}

/** Returns whether a text matches a pattern, in which `*` stands for any text. */
export function fits(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === text
  if (!text.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - at >= last.length && text.endsWith(last)
}

/**
 * Returns whether `value` contains all members of `wanted`. Texts may use wildcards; hex is
 * compared without case.
 */
function holdsParams(value: unknown, wanted: unknown): boolean {
  if (typeof wanted === 'string') {
    const plain = (text: string) => (/^0x/i.test(wanted) ? text.toLowerCase() : text)
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    return fits(plain(wanted), plain(text))
  }
  if (Array.isArray(wanted)) {
    return Array.isArray(value) && wanted.every((one, index) => holdsParams(value[index], one))
  }
  if (typeof wanted !== 'object' || wanted === null) return value === wanted
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.entries(wanted).every(([name, one]) =>
      holdsParams(Object.entries(value).find(([key]) => key === name)?.[1], one),
    )
  )
}

/** Returns whether a match names calls, so that it cannot hold for a connection. */
export function namesCalls({ methods, except, params, subscriptions, batch }: FaultMatch): boolean {
  return [methods, except, params, subscriptions, batch].some((one) => one !== undefined)
}

/**
 * Returns whether a `refuse` rule closes listeners. A rule for some calls, clients or attempts, for
 * a session or for WebSockets cannot, because others share the listeners.
 */
export function closesListeners({ match, select, effects }: FaultRule): boolean {
  const { transport, session, origin, userAgent } = match
  const isForAll = [session, origin, userAgent].every((one) => one === undefined) && !namesCalls(match)
  return effects.some(({ type }) => type === 'refuse') && isForAll && transport !== 'ws' && select.type === 'all'
}
