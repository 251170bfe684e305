/** The time since a chain was last used, after which sessions rest and expire. */
import { performance } from 'node:perf_hooks'
import type { InputBody } from '../plan/input.ts'
import { durationMs } from '../settings/duration.ts'
import type { Settings } from '../settings/settings.ts'
import type { Pace } from './pace.ts'
import type { Queue } from './queue.ts'

export type Usage = {
  /** Notes an input that is about to enter. */
  readonly saw: (body: InputBody) => void
  /** Notes a use by a client of another member of the fleet. */
  readonly touch: () => void
  /** Returns the milliseconds since the last use; 0 while a connection is open. */
  readonly idleMs: () => number
}

/** Returns a usage whose last use is now. Ticks do not count as uses. */
export function createUsage(nowMs: () => number = () => performance.now()): Usage {
  let lastMs = nowMs()
  let connections = 0
  return {
    saw: ({ kind }) => {
      if (kind === 'tick' || kind === 'performed' || kind === 'learned') return
      if (kind === 'connected') connections += 1
      if (kind === 'disconnected') connections -= 1
      lastMs = nowMs()
    },
    touch: () => {
      lastMs = nowMs()
    },
    idleMs: () => (connections > 0 ? 0 : nowMs() - lastMs),
  }
}

/** Returns the queue with inputs that count as uses. */
export function watched(usage: Usage, queue: Queue): Queue {
  return {
    ...queue,
    enter: (body, onReply) => {
      usage.saw(body)
      queue.enter(body, onReply)
    },
  }
}

/**
 * Returns a `wake` that schedules no more ticks after the chain has been unused for `sessionRest`.
 * The next input has the current time, so everything due until then happens with it.
 */
export function resting({ wake }: Pace, usage: Usage, { sessionRest, pace }: Settings): Pace['wake'] {
  const afterMs = Number(durationMs(sessionRest))
  if (pace === 'manual' || afterMs === 0) return wake
  return (atMs, works) => wake(usage.idleMs() > afterMs ? undefined : atMs, works)
}
