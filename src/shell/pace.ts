/**
 * Simulation time (design §3): follows the wall clock, jumps to the next due event, or stands still
 * until it is moved.
 */
import { type RunningClock, runningClock } from './runningClock.ts'

export type Pace = {
  readonly nowMs: () => bigint
  /**
   * Schedules `tick` for the time of the next event, or for now if time jumps. During long work
   * (`works`), calls `tick` as soon as pending requests have been read.
   */
  readonly wake: (atMs: bigint | undefined, works?: boolean) => void
  /** Moves standing time forward; resolves when everything due until then has happened, or at `setNow`. */
  readonly advance: (ms: number) => Promise<void>
  /** Continues from another time. */
  readonly setNow: (ms: bigint) => void
  readonly stop: () => void
}

/** Returns the later of two times. */
export function laterOf(oneMs: bigint, otherMs: bigint): bigint {
  return oneMs > otherMs ? oneMs : otherMs
}

/** The longest time that a timer of Node can wait, in milliseconds. */
export const longestTimerMs = 2 ** 31 - 1

/**
 * Returns a pace of kind `wall` (multiplied by `speed`), `instant` or `manual`. `tick` enters a
 * tick input. Time of kind `wall` stands still while `clock` does; `tick` gets the milliseconds by
 * which the machine's clock has gone ahead meanwhile.
 */
export function createPace(kind: string, tick: Tick, speed = 1, clock = runningClock()): Pace {
  return kind === 'wall' ? wallPace(tick, speed, clock) : standingPace(kind === 'instant', tick)
}

type Tick = (leaptMs?: number) => void

function wallPace(tick: Tick, speed: number, clock: RunningClock): Pace {
  let started = clock.nowMs()
  const nowMs = () => BigInt(Math.floor((clock.nowMs() - started) * speed))
  const ignoreLeaps = clock.onLeap(tick)
  let timer: NodeJS.Timeout | undefined
  let timerAtMs: bigint | undefined
  const clear = () => {
    clearTimeout(timer)
    timer = undefined
    timerAtMs = undefined
  }
  const soon = createSoon(tick)
  const wait = (atMs: bigint) => {
    const waitMs = Math.min(Math.max(Number(atMs - nowMs()) / speed, 0), longestTimerMs)
    timerAtMs = atMs
    timer = setTimeout(() => {
      clear()
      // Node counts from the start of the event loop's round, so a timer may end early.
      if (nowMs() < atMs) wait(atMs)
      else tick()
    }, waitMs)
  }
  return {
    nowMs,
    wake: (atMs, works = false) => {
      soon.want(works)
      if (atMs === timerAtMs) return
      clear()
      if (atMs !== undefined) wait(atMs)
    },
    advance: async () => {},
    setNow: (ms) => {
      clear()
      started = clock.nowMs() - Number(ms) / speed
    },
    stop: () => {
      ignoreLeaps()
      clear()
      soon.want(false)
    },
  }
}

/** Returns a switch that, while on, calls `tick` once after the event loop's pending events. */
function createSoon(tick: () => void): { readonly want: (wanted: boolean) => void } {
  let next: NodeJS.Immediate | undefined
  return {
    want: (wanted) => {
      if (!wanted) {
        clearImmediate(next)
        next = undefined
        return
      }
      next ??= setImmediate(() => {
        next = undefined
        tick()
      })
    },
  }
}

/** Returns standing time. If `jumps`, it moves to the next due event when no request is pending. */
function standingPace(jumps: boolean, tick: () => void): Pace {
  let now = 0n
  /** The time to which the last call of `advance` leads. */
  let goal = 0n
  let due: bigint | undefined
  let jump: NodeJS.Immediate | undefined
  const to = (ms: bigint) => {
    if (ms > now) now = ms
    tick()
  }
  const soon = createSoon(tick)
  let isWorking = false
  return {
    nowMs: () => now,
    wake: (atMs, works = false) => {
      due = atMs
      isWorking = works
      soon.want(works)
      if (!jumps || works || atMs === undefined || jump !== undefined) return
      jump = setImmediate(() => {
        jump = undefined
        if (due !== undefined && !isWorking) to(due)
      })
    },
    advance: async (ms) => {
      // A call during another one counts from where that one leads.
      goal = laterOf(goal, now) + BigInt(ms)
      const target = goal
      // A restored state stays at its time: `setNow` takes the goal back.
      while (due !== undefined && due < target && target <= goal) {
        const before: bigint = due
        to(due)
        await new Promise((done) => {
          setImmediate(done)
        })
        if (due === before) break
      }
      if (target <= goal) to(target)
      await new Promise((done) => {
        setImmediate(done)
      })
    },
    setNow: (ms) => {
      now = ms
      goal = ms
      due = undefined
    },
    stop: () => {
      if (jump !== undefined) clearImmediate(jump)
      jump = undefined
      due = undefined
      soon.want(false)
    },
  }
}
