/** What a member last heard from the others, and which of them are alive by it. */
import { performance } from 'node:perf_hooks'

/** The last entry of each chain that a member leads; the key of the main chain is ''. */
export type Leads = Readonly<Record<string, number>>

export type Hearing = {
  readonly heard: (member: string, leads: Leads) => void
  /** Counts a member as gone until it is heard from again. */
  readonly gone: (member: string) => void
  readonly isAlive: (member: string) => boolean
  /** Returns the members that are alive, this one included. */
  readonly alive: () => readonly string[]
  readonly announced: (member: string, chain: string) => number | undefined
  /** Returns the members that are alive and should have been heard from by now. */
  readonly late: () => readonly string[]
  /** Forgets members that have been silent for long. */
  readonly forget: () => void
  /** Gives every member time to be heard from again, because NATS was away. */
  readonly excuse: () => void
}

/** A member that is silent for this many milliseconds loses leadership. */
const lapseMs = 1600
/** Silence after which a member is late: a little more than the time between announcements. */
const lateMs = 500
/** Time between two looks after which this process was paused. It looks every 100 to 150 ms. */
const pauseMs = 800

/** Returns the hearing of a member that has heard nothing yet. `nowMs` is a clock that never goes back. */
export function createHearing(self: string, nowMs = () => performance.now()): Hearing {
  const last = new Map<string, number>()
  const announced = new Map<string, Leads>()
  let excusedAt = nowMs()
  let lookedAt = excusedAt

  // After a pause of this process, the others' silence means nothing: what they said waits to be read.
  const look = () => {
    const now = nowMs()
    if (now - lookedAt > pauseMs) excusedAt = now
    lookedAt = now
  }
  const isAlive = (member: string) => {
    look()
    const at = last.get(member) ?? excusedAt
    return member === self || (at !== -Infinity && nowMs() - Math.max(at, excusedAt) < lapseMs)
  }
  return {
    heard: (member, leads) => {
      last.set(member, nowMs())
      announced.set(member, leads)
    },
    gone: (member) => last.set(member, -Infinity),
    isAlive,
    alive: () => [...new Set([self, ...[...last.keys()].filter(isAlive)])].sort(),
    announced: (member, chain) => announced.get(member)?.[chain],
    late: () => {
      const now = nowMs()
      return [...last].flatMap(([member, at]) => (now - at > lateMs && isAlive(member) ? [member] : []))
    },
    forget: () => {
      const now = nowMs()
      for (const [member, at] of last) {
        if (now - at <= 10 * lapseMs) continue
        last.delete(member)
        announced.delete(member)
      }
    },
    excuse: () => {
      excusedAt = nowMs()
    },
  }
}
