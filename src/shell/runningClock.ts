/**
 * The time for which this process ran. It stands still while the machine sleeps or the process is stopped, so that
 * the blocks of hours are not all due at once afterwards. The steady clocks of some systems count such time.
 */
import { performance } from 'node:perf_hooks'

export type RunningClock = {
  /** Returns the milliseconds for which the process ran. */
  readonly nowMs: () => number
  /**
   * Calls `told` whenever the machine's clock has gone ahead of this one by 10 s or more, with the milliseconds. This
   * is so after a sleep, and when the machine's clock is set forward. Returns a function that ends the calls.
   */
  readonly onLeap: (told: (ms: number) => void) => () => void
}

/** `steadyMs` never goes back; `dateMs` is the machine's clock. A look at both comes every `lookMs` milliseconds. */
type Clocks = { readonly steadyMs: () => number; readonly dateMs: () => number; readonly lookMs?: number }

/** A longer time between two looks is one for which the process did not run, in milliseconds. */
const leastMs = 10_000

/** Starts a clock at 0. */
export function createRunningClock({ steadyMs, dateMs, lookMs = 2000 }: Clocks): RunningClock {
  const listeners = new Set<(ms: number) => void>()
  const began = dateMs()
  let [seen, ran, leapt] = [steadyMs(), 0, 0]
  const nowMs = () => {
    const gap = steadyMs() - seen
    seen += gap
    if (gap < leastMs) ran += gap
    return ran
  }
  const look = () => {
    const ahead = Math.round(dateMs() - (began + nowMs() + leapt))
    if (ahead < leastMs) return
    leapt += ahead
    for (const tell of [...listeners]) tell(ahead)
  }
  setInterval(look, lookMs).unref()
  return {
    nowMs,
    onLeap: (told) => {
      listeners.add(told)
      return () => void listeners.delete(told)
    },
  }
}

let ofProcess: RunningClock | undefined

/** Returns the clock of this process. It starts with the first call: a program that only imports this has no timer. */
export function runningClock(): RunningClock {
  ofProcess ??= createRunningClock({ steadyMs: () => performance.now(), dateMs: () => Date.now() })
  return ofProcess
}
