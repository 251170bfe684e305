/**
 * Upgrade requests: opening WebSockets, and responses to all other upgrades (`comet-rpc.md` §2.6,
 * `corrections-a.md` 1 and 27, `cosmos-evm-rpc.md` §5.3).
 */
import { STATUS_CODES, ServerResponse, type IncomingMessage, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import { dialectOfPath } from '../../rpc/devDialects.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Headers } from './cors.ts'
import { isAllowedHost, isLocalSocket, isWsOrigin } from './hosts.ts'
import type { HttpOptions } from '../http.ts'
import { writeText } from './httpReply.ts'

/** `plain`: serve it as an ordinary request to that path; a number: refuse it with that status. */
export type Verdict = 'upgrade' | 'plain' | 400 | 403 | 405

/**
 * Decides how to handle an upgrade on a port that serves a side, or only its WebSockets. `url` is that of the
 * request in the session that it names.
 */
export function judgeUpgrade(
  request: IncomingMessage,
  url: string,
  { side, serves, settings: now }: Pick<HttpOptions, 'side' | 'serves' | 'settings'>,
): Verdict {
  const settings = now()
  const { method, headers } = request
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

/**
 * Passes the upgrade requests of a server on with their verdicts, except the plain ones, which it serves as if
 * they offered nothing.
 *
 * Node before 26 detaches the connection behind the headers. Node 26 reads the body first, and may wait for it:
 * such a request stays with the server, which Node 24.9 and later ask by `shouldUpgradeCallback`. A request
 * without a body is detached nevertheless, because Node loses what arrives in one piece behind one that stays.
 */
export function onUpgrade(
  server: Server,
  judge: (request: IncomingMessage) => Verdict,
  upgrade: (upgrading: Upgrading, verdict: Exclude<Verdict, 'plain'>) => void,
): void {
  Object.assign(server, {
    shouldUpgradeCallback: (request: IncomingMessage) => !hasBody(request) || judge(request) !== 'plain',
  })
  onDetached(server, 'upgrade', (upgrading) => {
    const verdict = judge(upgrading.request)
    if (verdict === 'plain') ignoreUpgrade(upgrading)
    else upgrade(upgrading, verdict)
  })
}

/** Passes the requests on whose connections node detaches from the server. */
export function onDetached(server: Server, event: 'connect' | 'upgrade', take: (upgrading: Upgrading) => void): void {
  server.on(event, (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A connection that was returned to the server may be detached again.
    if (socket.listenerCount('error') === 0) socket.on('error', () => socket.destroy())
    // Node 26 wraps the connection while it waits for a body, which no client sends with a handshake.
    if (socket !== request.socket) return void socket.destroy()
    take({ server, request, socket, head })
  })
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
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
function ignoreUpgrade({ server, request, socket, head }: Upgrading): void {
  const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}`]
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
  response.on('finish', () => {
    response.detachSocket(socket)
    if (!response.shouldKeepAlive) return void socket.end()
    if (head.length > 0) socket.unshift(head)
    giveBack(server, socket)
  })
  answer(request, response)
}
