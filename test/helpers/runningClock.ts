/** A clock for pauses of other processes, which stands still while this process does not run itself. */

export type RunningClock = {
  /** Returns the milliseconds since the start for which this process ran. */
  readonly nowMs: () => number
  /** Returns the milliseconds since the start for which it did not. */
  readonly lostMs: () => number
  readonly stop: () => void
}

const everyMs = 10
/** More than this much between two ticks is time that the machine did not give to this process. */
const mostMs = 250

/** Starts a clock. On a machine that stops for seconds, every process would seem to pause. */
export function startRunningClock(): RunningClock {
  let last = performance.now()
  let [ran, lost] = [0, 0]
  const tick = () => {
    const gap = performance.now() - last
    last += gap
    ran += Math.min(gap, mostMs)
    lost += Math.max(gap - mostMs, 0)
  }
  const timer = setInterval(tick, everyMs)
  return {
    nowMs: () => {
      tick()
      return ran
    },
    lostMs: () => lost,
    stop: () => clearInterval(timer),
  }
}
