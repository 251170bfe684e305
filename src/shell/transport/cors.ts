/** CORS as rs/cors does it (`comet-rpc.md` §2.5, `corrections-a.md` 3–6, `corrections-b.md` 1). */
import type { IncomingMessage } from 'node:http'
import type { Settings } from '../../settings/settings.ts'
import type { Side } from '../../settings/side.ts'

export type CorsRules = {
  readonly origins: readonly string[]
  readonly methods: readonly string[]
  readonly headers: readonly string[]
}

type CorsRequest = Pick<IncomingMessage, 'method' | 'headers'>

export type Headers = readonly (readonly [string, string])[]

const preflightVary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

/** The rules of Ethereum JSON-RPC: any origin, simple requests. */
export const openCors: CorsRules = {
  origins: ['*'],
  methods: ['GET', 'POST', 'HEAD'],
  headers: ['accept', 'content-type', 'x-requested-with'],
}

/** Returns the response headers of a preflight, or undefined for any other request. */
export function preflight({ method, headers }: CorsRequest, rules: CorsRules): Headers | undefined {
  const wantedMethod = headers['access-control-request-method']
  if (method !== 'OPTIONS' || wantedMethod === undefined || wantedMethod === '') return undefined
  const vary = ['Vary', preflightVary] as const
  const origin = allowedOrigin(headers.origin, rules)
  const wantedHeaders = headers['access-control-request-headers']
  if (origin === undefined || !allowsMethod(wantedMethod, rules) || !allowsHeaders(wantedHeaders, rules)) return [vary]
  return [
    vary,
    ['Access-Control-Allow-Origin', origin],
    ['Access-Control-Allow-Methods', wantedMethod],
    ...(wantedHeaders === undefined || wantedHeaders === ''
      ? []
      : [['Access-Control-Allow-Headers', wantedHeaders] as const]),
  ]
}

/** Returns the CORS headers of the response to a request that is not a preflight. */
export function corsHeaders({ method, headers }: CorsRequest, rules: CorsRules): Headers {
  const vary = ['Vary', 'Origin'] as const
  const origin = allowedOrigin(headers.origin, rules)
  return origin === undefined || !allowsMethod(method ?? '', rules)
    ? [vary]
    : [vary, ['Access-Control-Allow-Origin', origin]]
}

/** Returns the value of Access-Control-Allow-Origin: `*`, the origin as sent, or undefined. */
function allowedOrigin(origin: string | undefined, { origins }: CorsRules): string | undefined {
  if (origin === undefined || origin === '') return undefined
  if (origins.includes('*')) return '*'
  const given = origin.toLowerCase()
  return origins.some((pattern) => fits(pattern.toLowerCase(), given)) ? origin : undefined
}

/** One `*` in a pattern matches any text. */
function fits(pattern: string, origin: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === origin
  const [start, end] = [pattern.slice(0, star), pattern.slice(star + 1)]
  return origin.length >= start.length + end.length && origin.startsWith(start) && origin.endsWith(end)
}

/** OPTIONS is always allowed, regardless of the settings. */
function allowsMethod(method: string, { methods }: CorsRules): boolean {
  return method === 'OPTIONS' || methods.includes(method)
}

/** Names must be lower case, sorted and unique, with at most one space on each side of a comma. */
function allowsHeaders(wanted: string | undefined, { headers }: CorsRules): boolean {
  if (wanted === undefined || wanted === '') return true
  const allowed = new Set(headers.map((name) => name.toLowerCase()))
  let last = ''
  for (const piece of wanted.split(',')) {
    const name = piece.replace(/^ /, '').replace(/ $/, '')
    if (name === '') continue
    if (!(allowed.has('*') || allowed.has(name)) || name <= last) return false
    last = name
  }
  return true
}

/** Returns the CORS rules of an interface, or undefined if the core or no setting defines them. */
export function corsRulesOf(
  side: Side,
  { corsAllowedOrigins, corsAllowedMethods, corsAllowedHeaders }: Settings,
): CorsRules | undefined {
  if (side === 'eth') return openCors
  // The core applies the rules of the REST API.
  if (side === 'rest' || side === 'grpc') return undefined
  if (corsAllowedOrigins.length === 0) return undefined
  return { origins: corsAllowedOrigins, methods: corsAllowedMethods, headers: corsAllowedHeaders }
}
