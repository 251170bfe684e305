/**
 * Keeps application metrics as the SDK's telemetry does. Prometheus gets totals, without series
 * that have not changed for the retention time. JSON shows intervals of ten seconds.
 */
import type { Family, Labels } from './exposition.ts'

export type Telemetry = {
  readonly count: (key: readonly string[], amount: number, labels?: Labels) => void
  readonly gauge: (key: readonly string[], value: number, labels?: Labels) => void
  /** Returns the series that Prometheus sees now. */
  readonly families: () => readonly Family[]
  /** Returns the last finished interval in the SDK's JSON format; before that, the current one. */
  readonly summary: () => object
}

type Series = {
  readonly type: 'counter' | 'gauge'
  readonly key: readonly string[]
  readonly labels: Labels
  value: number
  changedMs: number
}
type Aggregate = { count: number; sum: number; squares: number; min: number; max: number }
type Interval = {
  readonly startMs: number
  readonly gauges: Map<string, Series>
  readonly counters: Map<string, Pick<Series, 'key' | 'labels'> & Aggregate>
}

const intervalMs = 10_000

/**
 * Returns telemetry without any series. `service` is the prefix of every name, unless it is empty.
 */
export function createTelemetry({
  service,
  retentionSeconds,
  nowMs,
}: {
  readonly service: string
  readonly retentionSeconds: number
  readonly nowMs: () => number
}): Telemetry {
  const all = new Map<string, Series>()
  let last: Interval | undefined
  let current: Interval | undefined

  function interval(): Interval {
    const startMs = Math.floor(nowMs() / intervalMs) * intervalMs
    if (current?.startMs === startMs) return current
    last = current
    current = { startMs, gauges: new Map(), counters: new Map() }
    return current
  }

  function series(type: Series['type'], name: readonly string[], labels: Labels) {
    const key = service === '' ? name : [service, ...name]
    const id = JSON.stringify([key, labels])
    const one = all.get(id) ?? { type, key, labels, value: 0, changedMs: 0 }
    all.set(id, one)
    one.changedMs = nowMs()
    return { id, one }
  }

  return {
    count: (key, amount, labels = {}) => {
      const { id, one } = series('counter', key, labels)
      one.value += amount
      const { counters } = interval()
      const before = counters.get(id) ?? { ...one, ...noSamples }
      counters.set(id, { ...before, ...withSample(before, amount) })
    },
    gauge: (key, value, labels = {}) => {
      const { id, one } = series('gauge', key, labels)
      one.value = value
      interval().gauges.set(id, { ...one })
    },
    families: () => {
      const oldestMs = nowMs() - retentionSeconds * 1000
      const fresh = [...all.values()].filter(({ changedMs }) => changedMs >= oldestMs)
      const names = new Set(fresh.map(({ key }) => prometheusName(key)))
      return [...names].map((name) => {
        const samples = fresh.filter(({ key }) => prometheusName(key) === name)
        return { name, help: name, type: samples[0]?.type ?? 'gauge', samples }
      })
    },
    summary: () => {
      const now = interval()
      return summaryOf(last ?? now)
    },
  }
}

const noSamples: Aggregate = { count: 0, sum: 0, squares: 0, min: 0, max: 0 }

function withSample({ count, sum, squares, min, max }: Aggregate, value: number): Aggregate {
  return {
    count: count + 1,
    sum: sum + value,
    squares: squares + value * value,
    min: count === 0 ? value : Math.min(min, value),
    max: count === 0 ? value : Math.max(max, value),
  }
}

function prometheusName(key: readonly string[]): string {
  return key.join('_').replace(/[ .=\-/]/g, '_')
}

function summaryOf({ startMs, gauges, counters }: Interval): object {
  const named = ({ key, labels }: Pick<Series, 'key' | 'labels'>) => ({ Name: key.join('.'), labels })
  return {
    Timestamp: new Date(startMs).toISOString().replace('T', ' ').replace('.000Z', ' +0000 UTC'),
    Gauges: [...gauges.values()]
      .map((one) => {
        const { Name, labels } = named(one)
        return { Name, Value: one.value, Labels: labels }
      })
      .toSorted(byName),
    PrecisionGauges: [],
    Points: [],
    Counters: [...counters.values()]
      .map((one) => {
        const { Name, labels } = named(one)
        return {
          Name,
          Count: one.count,
          Rate: (one.sum * 1000) / intervalMs,
          Sum: one.sum,
          Min: one.min,
          Max: one.max,
          Mean: one.sum / one.count,
          Stddev: deviation(one),
          Labels: labels,
        }
      })
      .toSorted(byName),
    Samples: [],
  }
}

function byName(a: { readonly Name: string }, b: { readonly Name: string }): number {
  return a.Name < b.Name ? -1 : 1
}

/**
 * Returns the sample standard deviation (n - 1). Rounding errors must not make the radicand
 * negative.
 */
function deviation({ count, sum, squares }: Aggregate): number {
  if (count < 2) return 0
  return Math.sqrt(Math.max(0, (count * squares - sum * sum) / (count * (count - 1))))
}
