/**
 * The members of a fleet. Each member announces several times a second that it is alive, and the
 * chains that it leads. A member loses leadership when its process has ended, or when it is silent
 * for longer than a lease lasts.
 */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import { createHearing, type Leads } from './hearing.ts'
import type { Nats } from './nats.ts'
import { createPresence } from './presence.ts'

/**
 * A member's announcement. `leads` has the last entry of each chain that the member leads; the key
 * of the main chain is ''.
 */
export type Alive = {
  readonly member: string
  readonly host: string
  readonly pid: number
  readonly leads: Leads
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
const askEveryMs = 100

/**
 * Returns the members of a fleet. `leads` returns the last entry of each chain that this member
 * leads.
 */
export function createMembers(nats: Nats, leads: () => Leads): Members {
  const { connection, subjectOf } = nats
  const self = randomBytes(8).toString('hex')
  const subject = subjectOf('alive')
  const hearing = createHearing(self)
  const leaveListeners = new Set<() => void>()
  let last = performance.now()
  const gone = (member: string) => {
    hearing.gone(member)
    for (const listener of leaveListeners) listener()
  }
  const presence = createPresence(nats, self, gone)
  const subscription = connection.subscribe(subject, {
    callback: (error, message) => {
      if (error) return
      const { member, isLeaving, leads: said } = message.json<Alive>()
      if (member === self) last = performance.now()
      hearing.heard(member, said)
      presence.heard(member)
      if (isLeaving && member !== self) gone(member)
    },
  })
  const speak = (isLeaving?: true) => {
    const { pid } = process
    const alive: Alive = { member: self, host: hostname(), pid, leads: leads(), ...(isLeaving && { isLeaving }) }
    if (!connection.isClosed()) connection.publish(subject, JSON.stringify(alive))
  }
  const turn = () => {
    // Without its own announcements, a member does not hear those of the others either.
    if (performance.now() - last > 3 * everyMs) hearing.excuse()
    hearing.forget()
    speak()
  }
  const askForLate = () => {
    for (const member of hearing.late()) presence.ask(member)
  }
  const timers = [setInterval(turn, everyMs), setInterval(askForLate, askEveryMs)]
  turn()

  return {
    self,
    alive: hearing.alive,
    isAlive: hearing.isAlive,
    preferred: (chain) => highest(hearing.alive(), chain),
    announced: hearing.announced,
    lagMs: () => {
      const silentMs = performance.now() - last
      return silentMs < 3 * everyMs ? 0 : Math.round(silentMs)
    },
    speak,
    onLeave: (listener) => leaveListeners.add(listener),
    stop: () => {
      for (const timer of timers) clearInterval(timer)
      presence.stop()
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
