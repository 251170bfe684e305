/**
 * The members of a fleet. Each member announces several times a second that it is alive, and the
 * chains that it leads. A member that is silent for `lapseMs` loses leadership.
 */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Nats } from './nats.ts'

/**
 * A member's announcement. `leads` has the last entry of each chain that the member leads; the key
 * of the main chain is ''.
 */
export type Alive = {
  readonly member: string
  readonly host: string
  readonly pid: number
  readonly leads: Readonly<Record<string, number>>
  readonly isLeaving?: true
}

export type Members = {
  /** This member's id, unique to the process. */
  readonly self: string
  /** Members heard from recently, including this one. */
  readonly alive: () => readonly string[]
  /**
   * Whether a member may still lead. A member not heard from yet is given time to announce itself.
   */
  readonly isAlive: (member: string) => boolean
  /**
   * Returns the member that should lead a chain. All members that know the same members agree on
   * it.
   */
  readonly preferred: (chain: string) => string
  /**
   * Returns the last entry that a leader has announced as applied; undefined without an
   * announcement.
   */
  readonly announced: (member: string, chain: string) => number | undefined
  /** Milliseconds since NATS last delivered this member's own announcement; 0 while it does. */
  readonly lagMs: () => number
  readonly speak: (isLeaving?: true) => void
  /** Registers a listener that is called when a member is about to leave. */
  readonly onLeave: (listener: () => void) => void
  readonly stop: () => void
}

const everyMs = 400
const lapseMs = 1600

/**
 * Returns the members of a fleet. `leads` returns the last entry of each chain that this member
 * leads.
 */
export function createMembers({ connection, subjectOf }: Nats, leads: () => Readonly<Record<string, number>>): Members {
  const self = randomBytes(8).toString('hex')
  const subject = subjectOf('alive')
  const heard = new Map<string, number>()
  const announced = new Map<string, Alive['leads']>()
  const leaveListeners = new Set<() => void>()
  let since = performance.now()
  let last = since
  let turnedAt = since

  const subscription = connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return
      const { member, isLeaving, leads: said } = message.json<Alive>()
      const now = performance.now()
      if (member === self) last = now
      heard.set(member, isLeaving ? -Infinity : now)
      announced.set(member, said)
      if (isLeaving && member !== self) for (const listener of leaveListeners) listener()
    },
  })
  const speak = (isLeaving?: true) => {
    const { pid } = process
    const alive: Alive = { member: self, host: hostname(), pid, leads: leads(), ...(isLeaving && { isLeaving }) }
    if (!connection.isClosed()) connection.publish(subject, JSON.stringify(alive))
  }
  // After a pause of this process or its connection, the others' silence means nothing.
  const turn = () => {
    const now = performance.now()
    if (now - turnedAt > 2 * everyMs || now - last > 3 * everyMs) since = now
    turnedAt = now
    for (const [member, at] of heard) {
      if (now - at <= 10 * lapseMs) continue
      heard.delete(member)
      announced.delete(member)
    }
    speak()
  }
  const timer = setInterval(turn, everyMs)
  turn()

  const isAlive = (member: string) =>
    member === self || performance.now() - Math.max(heard.get(member) ?? since, graceOf(member)) < lapseMs
  const graceOf = (member: string) => (heard.get(member) === -Infinity ? -Infinity : since)
  const alive = () => [...new Set([self, ...[...heard.keys()].filter(isAlive)])].sort()
  return {
    self,
    alive,
    isAlive,
    preferred: (chain) => highest(alive(), chain),
    announced: (member, chain) => announced.get(member)?.[chain],
    lagMs: () => {
      const silentMs = performance.now() - last
      return silentMs < 3 * everyMs ? 0 : Math.round(silentMs)
    },
    speak,
    onLeave: (listener) => leaveListeners.add(listener),
    stop: () => {
      clearInterval(timer)
      speak(true)
      subscription.unsubscribe()
    },
  }
}

/** Chooses a member by rendezvous hashing: when a member joins or leaves, only its chains move. */
function highest(members: readonly string[], chain: string): string {
  const weigh = (member: string) => createHash('sha256').update(`${member}/${chain}`).digest('hex')
  return members.reduce((best, member) => (weigh(member) > weigh(best) ? member : best))
}
