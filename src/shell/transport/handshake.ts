/**
 * Upgrade requests: opening WebSockets, and responses to all other upgrades (`comet-rpc.md` §2.6,
 * `corrections-a.md` 1 and 27, `cosmos-evm-rpc.md` §5.3).
 */
import { STATUS_CODES, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { dialectOfPath } from '../../rpc/devDialects.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Headers } from './cors.ts'
import { isAllowedHost, isLocalSocket, isWsOrigin } from './hosts.ts'
import type { HttpOptions } from '../http.ts'
import { writeText } from './httpReply.ts'

/** `plain`: serve it as an ordinary request to that path; a number: refuse it with that status. */
export type Verdict = 'upgrade' | 'plain' | 400 | 403 | 405

/** Decides how to handle an upgrade on a port that serves a side, or only its WebSockets. */
export function judgeUpgrade(
  request: IncomingMessage,
  { side, serves }: Pick<HttpOptions, 'side' | 'serves'>,
  settings: Settings,
): Verdict {
  const { method, url = '/', headers } = request
  const [path] = url.split('?')
  const isOurs =
    path === (side === 'comet' ? '/websocket' : '/') || (side === 'eth' && dialectOfPath(url) !== undefined)
  if (side === 'eth' && serves === 'all' && hasQuirk(settings, 'websocket-port-only')) {
    return 'plain'
  }
  if (!isOurs || !(isAllowedHost(headers.host ?? '', settings) || isLocalSocket(request))) return 'plain'
  if (headers.upgrade?.toLowerCase() !== 'websocket') return side === 'comet' ? 400 : 'plain'
  if (method !== 'GET') return side === 'comet' ? 405 : 'plain'
  const hasKey = /^[+/0-9A-Za-z]{22}==$/.test(headers['sec-websocket-key'] ?? '')
  if (headers['sec-websocket-version'] !== '13' || !hasKey) return 400
  return isWsOrigin(side, headers.origin, settings) ? 'upgrade' : 403
}

export type Upgrading = {
  readonly server: Server
  readonly request: IncomingMessage
  readonly socket: Socket
  readonly head: Buffer
}

/** Refuses an upgrade; the connection stays open for other requests. */
export function refuseUpgrade(upgrading: Upgrading, status: number, headers: Headers): void {
  const body = `${STATUS_CODES[status] ?? ''}\n`
  answerPlainly(upgrading, (request, response) =>
    writeText({ request, response }, status, body, [['Sec-Websocket-Version', '13'], ...headers]),
  )
}

/**
 * Serves an upgrade request as an ordinary request: HTTP allows a server to ignore `Upgrade`, and
 * clients rely on it (Java's HttpClient offers `h2c` with every POST). Node has stopped parsing
 * after the headers, so the server parses the request again without its upgrade headers.
 */
export function ignoreUpgrade({ server, request, socket, head }: Upgrading, target: string): void {
  const lines = [`${request.method ?? 'GET'} ${target} HTTP/${request.httpVersion}`]
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2)
    const kept = withoutUpgrade(name.toLowerCase(), value)
    if (kept !== undefined) lines.push(`${name}: ${kept}`)
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]))
  giveBack(server, socket)
}

/** Returns a detached connection to its server, which reads the next request from it. */
function giveBack(server: Server, socket: Socket): void {
  server.emit(server instanceof TlsServer ? 'secureConnection' : 'connection', socket)
}

/** Returns a header's value without the offer to upgrade, or undefined to omit the header. */
function withoutUpgrade(name: string, value: string): string | undefined {
  if (name === 'upgrade' || name === 'http2-settings') return undefined
  if (name !== 'connection') return value
  const kept = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => !/^(?:upgrade|http2-settings)$/i.test(one))
  return kept.length === 0 ? undefined : kept.join(', ')
}

/** Answers a request on a connection that node has detached, then returns it to the server. */
export function answerPlainly(
  { server, request, socket, head }: Upgrading,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const response = new ServerResponse(request)
  // Node's parser sets this for ordinary requests.
  response.shouldKeepAlive = !/\bclose\b/i.test(request.headers.connection ?? '')
  response.assignSocket(socket)
  const onError = () => socket.destroy()
  socket.on('error', onError)
  response.on('finish', () => {
    response.detachSocket(socket)
    socket.off('error', onError)
    if (!response.shouldKeepAlive) return void socket.end()
    if (head.length > 0) socket.unshift(head)
    giveBack(server, socket)
  })
  answer(request, response)
}
