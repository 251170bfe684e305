/** `GET /metrics` of the REST API, for which the core has no route. */
import type { IncomingMessage } from 'node:http'
import type { ReplyOutput } from '../../node/output.ts'
import type { Side } from '../../settings/side.ts'
import type { Metrics } from './metrics.ts'

/** The path of the REST API that serves `gather`. */
const metricsPath = '/metrics'

/**
 * Returns the core's reply. For `GET /metrics`, returns the metrics with the CORS headers of that
 * reply instead.
 */
export function withRestMetrics(
  { side, metrics }: { readonly side: Side; readonly metrics?: Metrics | undefined },
  { method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>,
  reply: ReplyOutput,
): ReplyOutput {
  if (metrics === undefined || side !== 'rest' || method !== 'GET' || reply.status !== 501) {
    return reply
  }
  const [path, query] = url.split('?')
  if (path !== metricsPath) return reply
  const gathered = metrics.gather(new URLSearchParams(query).get('format')?.trim() ?? '')
  if (gathered === undefined) return reply
  const others = reply.headers.filter(([name]) => name.toLowerCase() !== 'content-type')
  return { ...reply, ...gathered, headers: [...gathered.headers, ...others] }
}
