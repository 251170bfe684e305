/** The port that Prometheus scrapes. As on the node, every path serves the metrics. */
import { createServer, type Server } from 'node:http'
import type { Settings } from '../../settings/settings.ts'
import { closeOnlySilent } from '../afterReading.ts'
import { isAllowedHost, refusedHost } from '../transport/hosts.ts'
import { refuseUnreadable, write, writeText } from '../transport/httpReply.ts'
import type { Metrics } from './metrics.ts'

/** Time in which a client must send its request, in milliseconds; the same as in CometBFT. */
const readMs = 10_000

/** Returns the server of the metrics, which does not listen yet. */
export function createMetricsServer(metrics: Metrics, settings: () => Settings): Server {
  // Without the interval, node:http enforces the timeouts every 30 seconds only.
  const timeouts = { requestTimeout: readMs, headersTimeout: readMs, connectionsCheckingInterval: 1000 }
  const server = createServer(timeouts, (request, response) => {
    const exchange = { request, response }
    const { host = '' } = request.headers
    if (!isAllowedHost(host, settings())) return writeText(exchange, 403, refusedHost(host))
    request.resume()
    write(
      exchange,
      metrics.scrape((left) => {
        response.once('close', left)
      }),
    )
  })
  closeOnlySilent(server)
  refuseUnreadable(server)
  return server
}
