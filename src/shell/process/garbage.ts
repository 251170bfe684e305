/** Statistics and controls of V8's garbage collection. */
import { performance, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

type Pause = { readonly endMs: number; readonly ns: number }

/** How many of the latest pauses are reported, as in Go. */
const keptPauses = 256
const nsPerMs = 1_000_000

const seen = {
  observer: undefined as PerformanceObserver | undefined,
  count: 0,
  totalNs: 0,
  forced: 0,
}
const pauses: Pause[] = []

/** Starts counting the collections of this process; later calls have no effect. */
export function watchGarbage(): void {
  if (seen.observer !== undefined) return
  seen.observer = new PerformanceObserver((list) => note(list.getEntries()))
  seen.observer.observe({ entryTypes: ['gc'] })
}

function note(entries: readonly { readonly startTime: number; readonly duration: number }[]): void {
  for (const { startTime, duration } of entries) {
    const ns = Math.round(duration * nsPerMs)
    seen.count++
    seen.totalNs += ns
    pauses.push({ endMs: performance.timeOrigin + startTime + duration, ns })
    if (pauses.length > keptPauses) pauses.shift()
  }
}

/** Counts a collection that was asked for. */
export function noteForced(): void {
  seen.forced++
}

/** Returns V8's collections since `watchGarbage`, under the names of Go's `debug.GCStats`. */
export function garbageStatistics(): Record<string, unknown> {
  if (seen.observer !== undefined) note(seen.observer.takeRecords())
  const last = pauses.at(-1)
  const newestFirst = [...pauses].reverse()
  return {
    LastGC: last === undefined ? '0001-01-01T00:00:00Z' : timeOf(last),
    NumGC: seen.count,
    PauseTotal: seen.totalNs,
    Pause: newestFirst.map(({ ns }) => ns),
    PauseEnd: newestFirst.map(timeOf),
    PauseQuantiles: null,
  }
}

function timeOf({ endMs }: Pause): string {
  return new Date(endMs).toISOString()
}

/** Returns memory in bytes under those names of Go's `runtime.MemStats` that V8 has a value for. */
export function memoryStatistics(): Record<string, unknown> {
  if (seen.observer !== undefined) note(seen.observer.takeRecords())
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage()
  return {
    Alloc: heapUsed,
    Sys: rss,
    HeapAlloc: heapUsed,
    HeapSys: heapTotal,
    HeapIdle: heapTotal - heapUsed,
    HeapInuse: heapUsed,
    OtherSys: external,
    LastGC: Math.round((pauses.at(-1)?.endMs ?? 0) * nsPerMs),
    PauseTotalNs: seen.totalNs,
    NumGC: seen.count,
    NumForcedGC: seen.forced,
    EnableGC: true,
    V8: getHeapStatistics(),
  }
}

let percent = 0

/**
 * Sets the heap growth between collections in percent and returns the previous value; 0 leaves the
 * growth to V8. Throws `RangeError` for a negative value: V8 cannot stop collecting.
 */
export function setGarbagePercent(wanted: number): number {
  if (wanted < 0) throw new RangeError('V8 does not stop collecting garbage')
  const before = percent
  setFlagsFromString(`--heap-growing-percent=${wanted}`)
  percent = wanted
  return before
}
