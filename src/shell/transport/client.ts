import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { ActiveFault, FaultClient, FaultState } from '../../fault/rule.ts'

/** The sender of a request, over any version of HTTP. */
export type Sender = {
  readonly headers: IncomingHttpHeaders
  readonly socket: Pick<Socket, 'remoteAddress'>
}

/** Returns the `client` of a request, or nothing if no fault needs it. */
export function clientFor(request: Sender, { active, open }: FaultState): { readonly client?: FaultClient } {
  return active.length === 0 && open.size === 0 ? {} : { client: clientOf(request, active) }
}

/** Returns the development tool that sends a request. Hardhat's User-Agent is its name and version. */
export function toolOf({ headers }: Sender): { readonly tool?: 'hardhat' } {
  return /^hardhat\b/i.test(headers['user-agent'] ?? '') ? { tool: 'hardhat' } : {}
}

/** Returns the client that sends a request, with the headers that fault rules use. */
export function clientOf({ headers, socket }: Sender, active: readonly ActiveFault[]): FaultClient {
  const names = active.flatMap(({ rule: { select } }) =>
    select.type === 'rate' && typeof select.by === 'object' ? [select.by.header.toLowerCase()] : [],
  )
  const asked = names.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)] as const]
  })
  return {
    ip: socket.remoteAddress ?? '',
    origin: headers.origin,
    userAgent: headers['user-agent'] ?? '',
    headers: Object.fromEntries(asked),
  }
}
