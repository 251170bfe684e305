import type { IncomingMessage } from 'node:http'
import type { ActiveFault, FaultClient } from '../fault/rule.ts'

/** Returns who sends a request; of the headers only those that rules of faults ask for. */
export function clientOf(
  { headers, socket }: IncomingMessage, active: readonly ActiveFault[],
): FaultClient {
  const names = active.flatMap(({ rule: { select } }) =>
    select.type === 'rate' && typeof select.by === 'object' ? [select.by.header.toLowerCase()] : [])
  const asked = names.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return {
    ip: socket.remoteAddress ?? '', origin: headers.origin, userAgent: headers['user-agent'] ?? '',
    headers: Object.fromEntries(asked),
  }
}
