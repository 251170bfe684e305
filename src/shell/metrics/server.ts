/** The port that Prometheus scrapes: as on the node, every path is the metrics. */
import { createServer, type Server } from 'node:http'
import type { Settings } from '../../settings/settings.ts'
import { isAllowedHost, refusedHost } from '../hosts.ts'
import { refuseMalformed, write, writeText } from '../httpReply.ts'
import type { Metrics } from './metrics.ts'

/** How long a client may take to send its request, in milliseconds, as CometBFT gives it. */
const readMs = 10_000

/** Returns the server of the metrics; it listens when it is told to. */
export function createMetricsServer(metrics: Metrics, settings: () => Settings): Server {
  const timeouts = { requestTimeout: readMs, headersTimeout: readMs }
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
  server.on('clientError', refuseMalformed)
  return server
}
