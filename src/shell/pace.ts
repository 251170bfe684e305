/**
 * Simulation time (design §3): paced by the wall clock, jumping to whatever is due next, or
 * standing until it is moved.
 */
import { performance } from 'node:perf_hooks'

export type Pace = {
  readonly nowMs: () => bigint
  /** Says when something is due next; `tick` is called then, or at once where time jumps. */
  readonly wake: (atMs: bigint | undefined) => void
  /** Moves time that stands; resolves when everything due on the way has happened. */
  readonly advance: (ms: number) => Promise<void>
  /** Goes on from another moment. */
  readonly setNow: (ms: bigint) => void
  readonly stop: () => void
}

const longestTimerMs = 2 ** 31 - 1

/**
 * Returns the pace of a setting: `wall`, so many times as fast, `instant` or `manual`; `tick`
 * enters a tick input.
 */
export function createPace(kind: string, tick: () => void, speed = 1): Pace {
  return kind === 'wall' ? wallPace(tick, speed) : standingPace(kind === 'instant', tick)
}

function wallPace(tick: () => void, speed: number): Pace {
  let started = performance.now()
  const nowMs = () => BigInt(Math.floor((performance.now() - started) * speed))
  let timer: NodeJS.Timeout | undefined
  let timerAtMs: bigint | undefined
  const clear = () => { clearTimeout(timer); timer = undefined; timerAtMs = undefined }
  return {
    nowMs,
    wake: (atMs) => {
      if (atMs === timerAtMs) return
      clear()
      if (atMs === undefined) return
      const waitMs = Math.min(Math.max(Number(atMs - nowMs()) / speed, 0), longestTimerMs)
      timerAtMs = atMs
      timer = setTimeout(() => { clear(); tick() }, waitMs)
    },
    advance: async () => {},
    setNow: (ms) => { clear(); started = performance.now() - Number(ms) / speed },
    stop: clear,
  }
}

/** Time that is moved; where it jumps, it does so when nothing else is waiting to be served. */
function standingPace(jumps: boolean, tick: () => void): Pace {
  let now = 0n
  let due: bigint | undefined
  let jump: NodeJS.Immediate | undefined
  const to = (ms: bigint) => { if (ms > now) now = ms; tick() }
  return {
    nowMs: () => now,
    wake: (atMs) => {
      due = atMs
      if (!jumps || atMs === undefined || jump !== undefined) return
      jump = setImmediate(() => { jump = undefined; if (due !== undefined) to(due) })
    },
    advance: async (ms) => {
      const target = now + BigInt(ms)
      while (due !== undefined && due < target) {
        const before: bigint = due
        to(due)
        await new Promise((done) => { setImmediate(done) })
        if (due === before) break
      }
      to(target)
      await new Promise((done) => { setImmediate(done) })
    },
    setNow: (ms) => { now = ms; due = undefined },
    stop: () => { if (jump !== undefined) clearImmediate(jump); jump = undefined; due = undefined },
  }
}
