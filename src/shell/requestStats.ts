/** Requests by method over the last two minutes: rate, errors and percentiles of latency. */
import { detached } from '../data/detached.ts'
import { addLatency, percentilesOf, type Latencies } from './latencies.ts'
import { methodsIn } from './methodsIn.ts'

const windowSeconds = 120
/** The number of seconds that a rate is measured over. */
const rateSeconds = 10
/** The number of latencies kept per method for percentiles. */
const samplesMost = 500
/** The number of methods counted separately; all others are counted together. */
const methodsMost = 200
const othersName = '(others)'

type Second = {
  count: number
  errors: number
  slowestMs: number
  totalMs: number
  readonly latencies: Latencies
  /** The percentiles for the count at which they were computed. */
  percentiles?: Percentiles & { readonly count: number }
}
type Percentiles = Readonly<Record<'p50Ms' | 'p95Ms' | 'p99Ms', number | null>>
/** Seconds since the epoch with their requests, oldest first. */
type Seconds = Map<number, Second>
type Method = {
  side: string
  count: number
  errors: number
  samples: number[]
  next: number
  lastMs: number
  readonly seconds: Seconds
  /** The percentiles for the count at which they were computed. */
  percentiles?: Readonly<Record<'count' | 'p50Ms' | 'p95Ms' | 'p99Ms', number>>
}

/** An answered request; `tookMs` is wall-clock time. */
export type Answered = {
  readonly side: string
  readonly request: string
  readonly answer: string | undefined
  readonly status: number | undefined
  readonly tookMs: number | undefined
}

export type RequestStats = {
  readonly answered: (exchange: Answered) => void
  /** Returns the counts by method, and the seconds of one method or of all. */
  readonly view: (method?: string) => ReturnType<typeof viewOf>
}

/** Returns request counters; `nowMs` is the wall clock in milliseconds. */
export function createRequestStats(nowMs: () => number): RequestStats {
  const seconds: Seconds = new Map()
  const methods = new Map<string, Method>()
  return {
    answered: (exchange) => {
      const now = nowMs()
      const at = Math.floor(now / 1000)
      if (!seconds.has(at)) for (const each of methods.values()) dropOld(each.seconds, at)
      const method = methodOf(methods, exchange)
      const isError = failed(exchange)
      const tookMs = exchange.tookMs ?? 0
      count(seconds, at, tookMs, isError)
      count(method.seconds, at, tookMs, isError)
      method.count += 1
      method.errors += isError ? 1 : 0
      method.lastMs = now
      method.samples[method.next] = tookMs
      method.next = (method.next + 1) % samplesMost
    },
    view: (name) => {
      const chosen = name === undefined ? seconds : (methods.get(name)?.seconds ?? new Map<number, Second>())
      return viewOf(chosen, methods, nowMs())
    },
  }
}

function count(seconds: Seconds, at: number, tookMs: number, isError: boolean): void {
  let second = seconds.get(at)
  if (second === undefined) {
    second = { count: 0, errors: 0, slowestMs: 0, totalMs: 0, latencies: new Map() }
    seconds.set(at, second)
    dropOld(seconds, at)
  }
  second.count += 1
  second.errors += isError ? 1 : 0
  second.slowestMs = Math.max(second.slowestMs, tookMs)
  second.totalMs += tookMs
  addLatency(second.latencies, tookMs)
}

/** Deletes the seconds that have left the window. */
function dropOld(seconds: Seconds, now: number): void {
  for (const old of seconds.keys()) {
    if (old > now - windowSeconds) return
    seconds.delete(old)
  }
}

function methodOf(methods: Map<string, Method>, { request, side }: Answered): Method {
  const asked = methodsIn(request) ?? request.split('?')[0]?.slice(0, 80) ?? ''
  const name = methods.has(asked) || methods.size < methodsMost ? asked : othersName
  const found = methods.get(name)
  if (found !== undefined) return found
  const made = { side, count: 0, errors: 0, samples: [], next: 0, lastMs: 0, seconds: new Map<number, Second>() }
  methods.set(detached(name), made)
  return made
}

/** Returns whether a response is an error. JSON-RPC errors are near its start, after any id. */
function failed({ status, answer = '' }: Answered): boolean {
  return (status ?? 200) >= 400 || answer.slice(0, 120).includes('"error":{"code"')
}

function viewOf(seconds: Seconds, methods: ReadonlyMap<string, Method>, nowMs: number) {
  const now = Math.floor(nowMs / 1000)
  return {
    seconds: Array.from({ length: windowSeconds }, (_, index) => {
      const at = now - windowSeconds + 1 + index
      return { at, ...secondView(seconds.get(at)) }
    }),
    methods: [...methods].map(([method, one]) => {
      const { side, count, errors, lastMs } = one
      const { p50Ms, p95Ms, p99Ms } = methodPercentiles(one)
      const perSecond = rateOf(one.seconds, now)
      return { method, side, count, errors, perSecond, p50Ms, p95Ms, p99Ms, agoMs: Math.round(nowMs - lastMs) }
    }),
  }
}

const noSecond = { count: 0, errors: 0, slowestMs: 0, meanMs: null, p50Ms: null, p95Ms: null, p99Ms: null }

function secondView(second: Second | undefined) {
  if (second === undefined) return noSecond
  const { count, errors, slowestMs, totalMs, latencies } = second
  if (second.percentiles?.count !== count) {
    const [p50Ms = null, p95Ms = null, p99Ms = null] = percentilesOf(latencies, [0.5, 0.95, 0.99])
    second.percentiles = { count, p50Ms, p95Ms, p99Ms }
  }
  return { ...second.percentiles, count, errors, slowestMs, meanMs: totalMs / count }
}

/** Returns the percentiles of the newest latencies; open pages ask often, and few methods change. */
function methodPercentiles(method: Method) {
  const { count, samples } = method
  if (method.percentiles?.count === count) return method.percentiles
  const sorted = Float64Array.from(samples).sort()
  const percentile = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
  method.percentiles = { count, p50Ms: percentile(0.5), p95Ms: percentile(0.95), p99Ms: percentile(0.99) }
  return method.percentiles
}

/** Returns the requests per second over the last whole seconds; the current one is not over yet. */
function rateOf(seconds: Seconds, now: number): number {
  let sum = 0
  for (let at = now - rateSeconds; at < now; at++) sum += seconds.get(at)?.count ?? 0
  return sum / rateSeconds
}
