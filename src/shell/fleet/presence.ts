/**
 * Detects the end of a member's process sooner than its silence does. NATS reports messages to a
 * subject without subscribers, and a process that ended subscribes to nothing. A process that is
 * only slow still subscribes.
 */
import { performance } from 'node:perf_hooks'
import { onReconnect } from './connection.ts'
import type { Nats } from './nats.ts'

export type Presence = {
  /** Asks NATS whether a member still subscribes. Call it for members that are late. */
  readonly ask: (member: string) => void
  /** Called when a member was heard from. */
  readonly heard: (member: string) => void
  readonly stop: () => void
}

/** A member has ended if NATS reports it twice, this many milliseconds apart. */
const confirmMs = 300
/** Time in which members reconnect after an outage: until then, an absent member has not ended. */
const reconnectMs = 1500

/** The status of a message that NATS sends when a subject has no subscribers. */
const noSubscribers = 503

/**
 * Returns a presence that calls `absent` with every member that has ended. `nowMs` is a clock that
 * never goes back.
 */
export function createPresence(
  { connection, subjectOf }: Nats,
  self: string,
  absent: (member: string) => void,
  nowMs = () => performance.now(),
): Presence {
  const missingSince = new Map<string, number>()
  let from = 0
  const own = connection.subscribe(subjectOf('here', self), { callback: () => {} })
  const reports = connection.subscribe(subjectOf('absent', self, '*'), {
    callback: (error, message) => {
      if (error || message.headers?.code !== noSubscribers) return
      const now = nowMs()
      if (now < from) return
      const member = message.subject.slice(message.subject.lastIndexOf('.') + 1)
      const since = missingSince.get(member) ?? now
      missingSince.set(member, since)
      if (now - since < confirmMs) return
      missingSince.delete(member)
      absent(member)
    },
  })
  void onReconnect(connection, () => {
    missingSince.clear()
    from = nowMs() + reconnectMs
  })
  return {
    ask: (member) => {
      if (connection.isClosed()) return
      connection.publish(subjectOf('here', member), '', { reply: subjectOf('absent', self, member) })
    },
    heard: (member) => missingSince.delete(member),
    stop: () => {
      own.unsubscribe()
      reports.unsubscribe()
    },
  }
}
