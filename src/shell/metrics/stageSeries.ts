/** The metrics of chainstage itself, and of its process, named as Prometheus' clients name them. */
import { readdirSync } from 'node:fs'
import type { Exchange } from '../exchanges.ts'
import { single, type Family } from './exposition.ts'
import { createHistogram } from './histogram.ts'
import type { NewBlock } from './newBlocks.ts'
import { createTally } from './tally.ts'
import type { Simulation } from '../../simulation/turn.ts'

export type StageSeries = {
  /** Counts an answered request. */
  readonly answered: (exchange: Exchange) => void
  /** Counts a committed block. */
  readonly committed: (block: NewBlock) => void
  readonly families: (simulation: Simulation, sessions: number) => readonly Family[]
}

/** Bounds in seconds: most responses take less than a millisecond, latency faults take seconds. */
const durationBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Returns the series with every counter at 0. */
export function createStageSeries(version: string): StageSeries {
  const requests = createTally()
  const durations = createHistogram(durationBounds)
  const transactions = createTally()
  let blocks = 0
  return {
    answered: ({ side, transport, status = 0, tookMs = 0 }) => {
      requests.add(1, { interface: side, transport, status: String(status) })
      durations.observe(tookMs / 1000, { interface: side })
    },
    committed: ({ record: { txs, results } }) => {
      blocks += 1
      for (const { index, info } of txs) {
        const result = results.txResults[index]?.code === 0 ? 'ok' : 'failed'
        transactions.add(1, { kind: info?.kind ?? 'unknown', result })
      }
    },
    families: ({ node: { chain, connections, faults }, plan }, sessions) => [
      single('gauge', 'chainstage_info', 'Version and scenario as labels; the value is always 1.', 1, {
        version,
        scenario: plan.name,
      }),
      {
        name: 'chainstage_requests_total',
        type: 'counter',
        samples: requests.samples(),
        help: 'Number of requests by interface, transport and HTTP status, including sessions.',
      },
      {
        name: 'chainstage_request_duration_seconds',
        type: 'histogram',
        samples: durations.samples(),
        help: 'Response time in seconds, by interface.',
      },
      {
        name: 'chainstage_faults_applied_total',
        type: 'counter',
        help: 'Number of calls and events that a fault was applied to, by fault name.',
        samples: [...faults.counts].map(([fault, { applied }]) => ({ labels: { fault }, value: applied })),
      },
      single('gauge', 'chainstage_faults', 'Number of active faults.', faults.active.length),
      single('gauge', 'chainstage_sessions', 'Number of sessions besides the main chain.', sessions),
      single('gauge', 'chainstage_connections', 'Number of open WebSocket connections.', connections.size),
      single('gauge', 'chainstage_height', 'Height of the newest block.', Number(chain.height)),
      single('counter', 'chainstage_blocks_total', 'Number of blocks mined since the start.', blocks),
      {
        name: 'chainstage_transactions_total',
        type: 'counter',
        samples: transactions.samples(),
        help: 'Number of transactions in blocks since the start, by kind and result.',
      },
      single('gauge', 'chainstage_heap_bytes', 'Heap memory in use, in bytes.', process.memoryUsage().heapUsed),
      ...processFamilies(),
    ],
  }
}

function processFamilies(): readonly Family[] {
  const { user, system } = process.cpuUsage()
  const files = openFiles()
  return [
    single('counter', 'process_cpu_seconds_total', 'User and system CPU time, in seconds.', (user + system) / 1e6),
    single('gauge', 'process_resident_memory_bytes', 'Resident memory, in bytes.', process.memoryUsage.rss()),
    single(
      'gauge',
      'process_start_time_seconds',
      'Start time of the process, in seconds since 1970.',
      performance.timeOrigin / 1000,
    ),
    ...(files === undefined ? [] : [single('gauge', 'process_open_fds', 'Number of open files and sockets.', files)]),
  ]
}

/** Returns the number of open files; undefined on systems other than Linux. */
function openFiles(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}
