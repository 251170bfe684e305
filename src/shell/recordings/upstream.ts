/** Sends a request to a node. */
import { request as httpRequest, Agent as HttpAgent, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https'
import { SimError } from '../../errors.ts'
import { readTarget } from '../../rpc/comet/path.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'

/**
 * The URLs of a node's interfaces; any may be missing. Paths and queries may contain API keys and
 * are never printed.
 */
export type Upstreams = {
  readonly comet: URL | undefined
  readonly eth: URL | undefined
  /** Ethereum JSON-RPC over WebSocket. */
  readonly ethWs: URL | undefined
  readonly rest?: URL | undefined
  readonly grpc?: URL | undefined
}

export type Sent = {
  readonly method: string
  /** Relative to the path of the node's URL. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Received = {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

const agents = {
  http: new HttpAgent({ keepAlive: true }),
  https: new HttpsAgent({ keepAlive: true }),
}
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'accept-encoding',
  'host',
  'content-length',
]

/** Resolves with the response of a node. Rejects with the error of the socket. */
export function ask(upstream: URL, { method, path, headers, body }: Sent): Promise<Received> {
  const isTls = upstream.protocol === 'https:'
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.includes(name)))
  const [send, agent] = isTls ? ([httpsRequest, agents.https] as const) : ([httpRequest, agents.http] as const)
  return new Promise((done, fail) => {
    const target = pathOf(upstream, path)
    const length = body.length === 0 ? {} : { 'content-length': body.length }
    const sent = send(
      {
        agent,
        method,
        path: target,
        host: upstream.hostname,
        port: upstream.port === '' ? (isTls ? 443 : 80) : upstream.port,
        headers: { ...kept, ...length, host: upstream.host, ...authorizationOf(upstream) },
        timeout: 60_000,
      },
      (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => {
          parts.push(part)
        })
        answer.on('end', () =>
          done({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(parts) }),
        )
        answer.on('error', fail)
      },
    )
    sent.on('timeout', () => {
      sent.destroy(new Error('no response within a minute'))
    })
    sent.on('error', fail)
    sent.end(body)
  })
}

/** Returns whether the status comes from a gateway or rate limiter rather than the node. */
export function isOfGateway(status: number): boolean {
  return [429, 502, 503, 504].includes(status)
}

/** Returns the mark of a refusal of a REST API that came before the handler: it has no metadata. */
export function earlyOf({ status, headers }: Received): { readonly isEarly?: true } {
  return status !== 200 && headers[`grpc-metadata-${heightHeader}`] === undefined ? { isEarly: true } : {}
}

/** Parses a gRPC address, which needs no scheme. Throws `BadUpstream`. */
export function grpcUrlOf(flag: string, text: string | undefined): URL | undefined {
  return httpUrlOf(flag, text === undefined || text.includes('://') ? text : `http://${text}`)
}

/** Returns a path relative to a URL, with the URL's own query. */
export function pathOf(upstream: URL, path: string): string {
  const { path: route, query } = readTarget(path)
  const below = `${upstream.pathname.replace(/\/$/, '')}${route === '/' && upstream.pathname !== '/' ? '' : route}`
  const both = [upstream.search.slice(1), query].filter((part) => part !== '').join('&')
  return `${below === '' ? '/' : below}${both === '' ? '' : `?${both}`}`
}

function authorizationOf({ username, password }: URL): IncomingHttpHeaders {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** Returns the parts of URLs that may be API keys, which are never written. */
export function secretsOf(upstreams: Upstreams): readonly string[] {
  return Object.values(upstreams).flatMap((url) => {
    if (url === undefined) return []
    const words = [...url.pathname.split('/'), ...url.searchParams.values(), url.username, url.password]
    return words.filter((word) => word.length >= 8 && word !== 'websocket')
  })
}

/** Returns the values of environment variables whose names indicate secrets. */
export function secretsOfEnvironment(environment: NodeJS.ProcessEnv): readonly string[] {
  return Object.entries(environment).flatMap(([name, value]) => {
    const isSecret = /KEY|SECRET|TOKEN|MNEMONIC|PASSW|PASSPHRASE|PRIVATE|CREDENTIAL/i.test(name)
    return isSecret && value !== undefined && value.length >= 8 ? [value, value.replace(/^0x/, '')] : []
  })
}

/** Parses the URL of a node's interface that requests are sent to over HTTP. Throws `BadUpstream`. */
export function httpUrlOf(flag: string, text: string | undefined): URL | undefined {
  const found = parsedUrl(text)
  if (text === undefined || (found !== undefined && /^https?:$/.test(found.protocol))) return found
  throw new BadUpstream(`expected an http or https URL for --${flag}`, 'Use a URL like http://127.0.0.1:8545.')
}

/** Parses the URL of Ethereum JSON-RPC over WebSocket. Throws `BadUpstream`. */
export function webSocketUrlOf(flag: string, text: string | undefined): URL | undefined {
  const found = parsedUrl(text)
  if (text === undefined || (found !== undefined && /^(?:https?|wss?):$/.test(found.protocol))) return found
  throw new BadUpstream(`expected a ws or wss URL for --${flag}`, 'Use a URL like ws://127.0.0.1:8546.')
}

function parsedUrl(text: string | undefined): URL | undefined {
  return text !== undefined && URL.canParse(text) ? new URL(text) : undefined
}

/** A malformed address of a node; the error does not repeat it, because it may contain a key. */
export class BadUpstream extends SimError {
  constructor(what: string, hint: string) {
    super('BAD_SETTING', what, { hint })
  }
}
