/**
 * The metrics of a running chain: counters updated as the chain runs, and values read on request.
 */
import type { World } from '../../node/world.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Exchange } from '../exchanges.ts'
import type { Headers } from '../transport/cors.ts'
import { reportBlock } from './applicationSeries.ts'
import { createCometSeries } from './cometSeries.ts'
import { exposition, single, type Family } from './exposition.ts'
import { createNewBlocks } from './newBlocks.ts'
import { createStageSeries } from './stageSeries.ts'
import { createTally } from './tally.ts'
import { createTelemetry, type Telemetry } from './telemetry.ts'
import type { Simulation } from '../../simulation/turn.ts'

export type Metrics = {
  /** Updates the counters of the main chain after an input. */
  readonly saw: (simulation: Simulation) => void
  /** Marks the blocks of a loaded simulation as already counted. */
  readonly resumed: (simulation: Simulation) => void
  readonly answered: (exchange: Exchange) => void
  /**
   * Returns the response to a scrape at `instrumentation.prometheus_listen_addr`. Passes a function
   * to `onEnd`; the scrape counts as in flight until that function is called.
   */
  readonly scrape: (onEnd: (left: () => void) => void) => Gathered
  /** Returns the response to `GET /metrics` of the REST API; undefined if telemetry is off. */
  readonly gather: (format: string) => Gathered | undefined
}

export type Gathered = { readonly status: number; readonly headers: Headers; readonly body: string }

export type MetricsOptions = {
  readonly world: World
  readonly settings: Settings
  readonly simulation: () => Simulation
  readonly sessions: () => number
  /** Returns the series of the fleet; absent outside a fleet. */
  readonly fleet?: () => readonly Family[]
  readonly nowMs: () => number
}

/** Returns the metrics of a chain with Prometheus or telemetry. */
export function createMetrics(options: MetricsOptions): Metrics {
  const { world, settings, simulation, sessions } = options
  const { telemetryEnabled } = settings
  const blocks = createNewBlocks()
  const comet = createCometSeries()
  const stage = createStageSeries(world.version)
  const telemetry = telemetryEnabled ? telemetryOf(options) : undefined
  const scrapes = createScrapes()
  const isRetained = telemetryEnabled && settings.telemetryRetention > 0
  const text = () =>
    exposition([
      ...comet.families(world, simulation(), settings.prometheusNamespace),
      ...stage.families(simulation(), sessions()),
      ...scrapes.families(),
      ...(options.fleet?.() ?? []),
      ...(isRetained ? (telemetry?.families() ?? []) : []),
    ])
  return {
    saw: (seen) => {
      for (const block of blocks.of(seen)) {
        comet.committed(world, seen, block)
        stage.committed(block)
        if (telemetry !== undefined) reportBlock(telemetry, block.record)
      }
    },
    resumed: blocks.skip,
    answered: stage.answered,
    scrape: (onEnd) => {
      const most = settings.prometheusMaxRequests
      const status = most > 0 && scrapes.inFlight() >= most ? 503 : 200
      onEnd(scrapes.begin(status))
      if (status === 503) return tooMany(most)
      return { status, headers: plain('; escaping=underscores'), body: text() }
    },
    gather: (format) => {
      if (telemetry === undefined) return undefined
      if (format === '' || format === 'text') return json(200, telemetry.summary())
      if (format !== 'prometheus') return failed(`unsupported metrics format: ${format}`)
      if (!isRetained) return failed('prometheus metrics are not enabled')
      return { status: 200, headers: plain(''), body: text() }
    },
  }
}

function telemetryOf({ settings, nowMs }: MetricsOptions): Telemetry {
  const { telemetryService: service, telemetryRetention: retentionSeconds } = settings
  return createTelemetry({ service, retentionSeconds, nowMs })
}

/** Counts scrapes as Prometheus' own handler does: when they end. */
function createScrapes() {
  const ended = createTally()
  for (const code of ['200', '500', '503']) ended.add(0, { code })
  let inFlight = 0
  return {
    inFlight: () => inFlight,
    begin: (status: number) => {
      inFlight += 1
      return () => {
        inFlight -= 1
        ended.add(1, { code: String(status) })
      }
    },
    families: (): readonly Family[] => [
      {
        name: 'promhttp_metric_handler_requests_total',
        type: 'counter',
        samples: ended.samples(),
        help: 'Number of completed scrapes, by HTTP status.',
      },
      single('gauge', 'promhttp_metric_handler_requests_in_flight', 'Number of scrapes in progress.', inFlight),
    ],
  }
}

function tooMany(most: number): Gathered {
  return {
    status: 503,
    headers: [
      ['Content-Type', 'text/plain; charset=utf-8'],
      ['X-Content-Type-Options', 'nosniff'],
    ],
    body: `Limit of concurrent requests reached (${most}), try again later.\n`,
  }
}

function plain(more: string): Headers {
  return [['Content-Type', `text/plain; version=0.0.4; charset=utf-8${more}`]]
}

function json(status: number, value: object): Gathered {
  return { status, headers: [['Content-Type', 'application/json']], body: JSON.stringify(value) }
}

function failed(why: string): Gathered {
  return json(400, { error: `failed to gather metrics: ${why}` })
}
