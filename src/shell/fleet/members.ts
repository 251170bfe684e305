/**
 * Which members a fleet has: each tells the others several times a second that it lives, and what
 * it leads. A member that is silent for `lapseMs` has lost what it led.
 */
import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Nats } from './nats.ts'

/** What a member says of itself; `leads` has the last entry of each chain it leads, '' for the main one. */
export type Alive = {
  readonly member: string
  readonly host: string
  readonly pid: number
  readonly leads: Readonly<Record<string, number>>
  readonly isLeaving?: true
}

export type Members = {
  /** The own name: another one for each process. */
  readonly self: string
  /** Members that were heard of lately, the own one among them. */
  readonly alive: () => readonly string[]
  /** Whether a member may still lead. One that was never heard of is given time to speak. */
  readonly isAlive: (member: string) => boolean
  /** Returns who is to lead a chain: the same one wherever the same members are known. */
  readonly preferred: (chain: string) => string
  /** Returns the last entry that a leader has said it applied; undefined where it has not said so. */
  readonly announced: (member: string, chain: string) => number | undefined
  /** Milliseconds since NATS last carried a message of ours to ourselves; 0 while it does. */
  readonly lagMs: () => number
  readonly speak: (isLeaving?: true) => void
  /** Calls back when a member is about to leave. */
  readonly onLeave: (listener: () => void) => void
  readonly stop: () => void
}

const everyMs = 400
const lapseMs = 1600

/** Returns the members of a fleet; `leads` returns the last entries of what is led here. */
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
  // Where this process or its connection stood still, silence says nothing of the others.
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

/** Rendezvous hashing: when members come or go, only chains of those move. */
function highest(members: readonly string[], chain: string): string {
  const weigh = (member: string) => createHash('sha256').update(`${member}/${chain}`).digest('hex')
  return members.reduce((best, member) => (weigh(member) > weigh(best) ? member : best))
}
