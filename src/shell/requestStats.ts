/** Requests by method over the last two minutes: rate, errors and percentiles of latency. */
import { methodsIn } from './methodsIn.ts'

const windowSeconds = 120
/** The number of latencies kept per method for percentiles. */
const samplesMost = 500
/** The number of methods counted separately; all others are counted together. */
const methodsMost = 200
const othersName = '(others)'

type Second = { count: number; errors: number; slowestMs: number; totalMs: number }
type Method = { side: string; count: number; errors: number; samples: number[]; next: number; lastMs: number }

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
  readonly view: () => ReturnType<typeof viewOf>
}

/** Returns request counters; `nowMs` is the wall clock in milliseconds. */
export function createRequestStats(nowMs: () => number): RequestStats {
  const seconds = new Map<number, Second>()
  const methods = new Map<string, Method>()
  return {
    answered: (exchange) => {
      const now = nowMs()
      const tookMs = exchange.tookMs ?? 0
      const isError = failed(exchange)
      const at = Math.floor(now / 1000)
      const second = seconds.get(at) ?? { count: 0, errors: 0, slowestMs: 0, totalMs: 0 }
      second.count += 1
      second.errors += isError ? 1 : 0
      second.slowestMs = Math.max(second.slowestMs, tookMs)
      second.totalMs += tookMs
      if (!seconds.has(at)) {
        seconds.set(at, second)
        for (const old of seconds.keys()) if (old <= at - windowSeconds) seconds.delete(old)
      }
      const method = methodOf(methods, exchange)
      method.count += 1
      method.errors += isError ? 1 : 0
      method.lastMs = now
      method.samples[method.next] = tookMs
      method.next = (method.next + 1) % samplesMost
    },
    view: () => viewOf(seconds, methods, nowMs()),
  }
}

function methodOf(methods: Map<string, Method>, { request, side }: Answered): Method {
  const asked = methodsIn(request) ?? request.split('?')[0]?.slice(0, 80) ?? ''
  const name = methods.has(asked) || methods.size < methodsMost ? asked : othersName
  const found = methods.get(name) ?? { side, count: 0, errors: 0, samples: [], next: 0, lastMs: 0 }
  methods.set(name, found)
  return found
}

/** Returns whether a response is an error. JSON-RPC errors are near its start, after any id. */
function failed({ status, answer = '' }: Answered): boolean {
  return (status ?? 200) >= 400 || answer.slice(0, 120).includes('"error":{"code"')
}

function viewOf(seconds: ReadonlyMap<number, Second>, methods: ReadonlyMap<string, Method>, nowMs: number) {
  const now = Math.floor(nowMs / 1000)
  return {
    seconds: Array.from({ length: windowSeconds }, (_, index) => {
      const at = now - windowSeconds + 1 + index
      const { count = 0, errors = 0, slowestMs = 0, totalMs = 0 } = seconds.get(at) ?? {}
      return { at, count, errors, slowestMs, meanMs: count === 0 ? null : totalMs / count }
    }),
    methods: [...methods].map(([method, { side, count, errors, samples, lastMs }]) => {
      const sorted = samples.toSorted((a, b) => a - b)
      const percentile = (share: number) => sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
      return {
        method,
        side,
        count,
        errors,
        p50Ms: percentile(0.5),
        p95Ms: percentile(0.95),
        p99Ms: percentile(0.99),
        agoMs: Math.round(nowMs - lastMs),
      }
    }),
  }
}
