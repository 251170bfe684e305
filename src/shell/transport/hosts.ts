/** Access checks by the `Host` and the origin of a request (design §8). */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Side } from '../../settings/side.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|0:0:0:0:0:0:0:1|.*\.localhost)$/i

/** Returns the host name of `HOST:PORT`, without port and brackets. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
}

/** Returns whether a host is a loopback name or address. */
export function isLoopbackHost(host: string): boolean {
  return host === '' || loopback.test(hostName(host))
}

/**
 * Returns whether requests to this host are served: an IP address, loopback, or an allowed name.
 * Any other name may belong to an attacker and point here (DNS rebinding).
 */
export function isAllowedHost(host: string, { allowedHosts }: Settings): boolean {
  const name = hostName(host).toLowerCase()
  return (
    host === '' ||
    loopback.test(name) ||
    /^[\d.]+$/.test(name) ||
    name.includes(':') ||
    allowedHosts.some((allowed) => allowed === '*' || allowed.toLowerCase() === name)
  )
}

// Browsers send a scheme with a host, or `null`. Some programs send their name: titanoboa sends `Titanoboa`.
const programName = /^(?!null$)[^:\s]+$/i

/**
 * Returns whether a page of this origin may use the development controls. A program that sends its
 * name as origin may use them too, because no page can do so.
 */
export function isTrustedOrigin(origin: string | undefined, { allowedOrigins }: Settings): boolean {
  if (origin === undefined || allowedOrigins.includes(origin) || allowedOrigins.includes('*')) {
    return true
  }
  if (programName.test(origin)) return true
  try {
    return loopback.test(hostName(new URL(origin).host))
  } catch {
    return false
  }
}

/**
 * Returns whether a page of an untrusted site caused a request. Browsers send `Origin` with POST
 * and WebSocket requests; a GET from an image or a link has only `Sec-Fetch-Site`.
 */
export function isCrossSite({ origin, 'sec-fetch-site': site }: IncomingHttpHeaders, settings: Settings): boolean {
  if (origin !== undefined) return !isTrustedOrigin(origin, settings)
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

// The default of app.toml, to which the quirk is limited; any other list is parsed correctly.
const shippedWsOrigins = '127.0.0.1,localhost'

/**
 * Returns whether a page of this origin may open a WebSocket of a side (`cosmos-evm-rpc.md` §5.3).
 * CometBFT itself accepts every origin (quirk `websocket-any-origin`); Ethereum JSON-RPC checks
 * `ws-origins`.
 */
export function isWsOrigin(side: Side, origin: string | undefined, settings: Settings): boolean {
  if (origin === undefined) return true
  if (side === 'comet') {
    return hasQuirk(settings, 'websocket-any-origin') || isTrustedOrigin(origin, settings)
  }
  const { ethWsOrigins, allowedOrigins } = settings
  if (ethWsOrigins.includes('*')) return true
  if (ethWsOrigins.join() === shippedWsOrigins && hasQuirk(settings, 'websocket-origins-one-text')) return false
  if (allowedOrigins.includes(origin) || allowedOrigins.includes('*')) return true
  try {
    return ethWsOrigins.includes(hostName(new URL(origin).host))
  } catch {
    return false
  }
}

/** Returns whether a request came over a Unix socket, which no page can reach by any host name. */
export function isLocalSocket({ socket }: Pick<IncomingMessage, 'socket'>): boolean {
  return socket.remoteAddress === undefined && !socket.destroyed
}

/** Returns the response text for a request to a host that is not allowed. */
export function refusedHost(host: string): string {
  return `The host "${host}" is not allowed. To allow it, start with --allowed-hosts ${host.replace(/:\d+$/, '')}.\n`
}

/**
 * Shortens an absolute target, such as `http://node:8545/s/a`, to its path. Its host replaces the `Host` header, as in
 * Go (RFC 9112, 3.2.2).
 */
export function takeAuthority(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#]*@)?([^/?#]*)(.*)$/is.exec(request.url ?? '')
  if (match === null) return
  const [, host = '', rest = ''] = match
  if (host !== '') request.headers.host = host
  request.url = rest.startsWith('/') ? rest : `/${rest}`
}
