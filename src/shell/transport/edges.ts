/** The headers of responses that the shell adds to those of the core. */
import type { ReplyOutput } from '../../node/output.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Side } from '../../settings/side.ts'
import { corsHeaders, type CorsRules, corsRulesOf, type Headers } from './cors.ts'
import type { IncomingHead } from './httpExchange.ts'
import type { Response } from './httpReply.ts'

type Served = {
  readonly side: Side
  readonly settings: () => Settings
  readonly wallSeconds: () => number
}

export const serverTimeName = 'X-Server-Time'

/** Fills in the server time, and adds CORS headers unless the core wrote or suppressed them. */
export function withEdges(
  { side, settings, wallSeconds }: Served,
  request: IncomingHead,
  reply: ReplyOutput,
): Response {
  // On Ethereum JSON-RPC the core writes the whole response, including the CORS headers.
  if (side === 'eth' && reply.headers.some(([name]) => name === 'Vary')) return reply
  const { status, body, bytes, trailers } = reply
  const rules = reply.cors === 'strip' ? undefined : corsRulesOf(side, settings())
  const headers = edgesOf(request, { headers: reply.headers, rules, seconds: wallSeconds() })
  return { status, headers, body, ...(bytes && { bytes }), ...(trailers && { trailers }) }
}

type Edges = { readonly headers: Headers; readonly rules: CorsRules | undefined; readonly seconds: number }
let lastEdges: { readonly of: Edges; readonly headers: Headers } | undefined

/** Returns the headers of a response; most have those of the last one. */
function edgesOf(request: IncomingHead, edges: Edges): Headers {
  const isPlain = request.headers.origin === undefined
  const { headers: given, rules, seconds } = edges
  const of = lastEdges?.of
  if (isPlain && of?.headers === given && of.rules === rules && of.seconds === seconds) return lastEdges?.headers ?? []
  const filled = given.map(([name, value]) => [name, name === serverTimeName ? String(seconds) : value] as const)
  const isComplete = rules === undefined || filled.some(([name]) => name === 'Vary')
  const headers = isComplete ? filled : [...filled, ...corsHeaders(request, rules)]
  if (isPlain) lastEdges = { of: edges, headers }
  return headers
}
