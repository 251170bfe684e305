/**
 * Keeps a member's copy up to date: starts from a snapshot, then applies the log entry by entry,
 * through outages.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { thrownText } from '../../errors.ts'
import type { LogEntry } from '../inputLog/inputLog.ts'
import type { Sinks } from '../queue.ts'
import type { Copy } from './copy.ts'
import { fleetEntryOf } from './entry.ts'
import type { Following, JetStreamLog } from './jetStreamLog.ts'
import { copyOf } from './savedCopy.ts'
import type { Leader } from './around.ts'
import { createTaking } from './taking.ts'

export type Follower = {
  /**
   * Resolves when the copy has applied all entries that the log holds now, and keeps following the
   * log.
   */
  readonly join: (log: JetStreamLog) => Promise<void>
  /** Applies an entry, unless it has already been applied. */
  readonly take: (entry: LogEntry) => Promise<void>
  /** The leader according to the entries applied so far. */
  readonly leader: () => Leader | undefined
  /** The number of the last entry applied. */
  readonly sequence: () => number
  /** Resolves when all entries up to a number have been applied. */
  readonly reached: (sequence: number) => Promise<void>
  readonly resume: () => void
  readonly stop: () => void
}

export type FollowerOptions = {
  readonly copy: Copy
  readonly log: Sinks['log']
  /** Called with a new leader before any entry of its term is applied. */
  readonly led: (leader: Leader) => void
  /** Called after inputs have been applied; `before` is the `seq` of the last input before them. */
  readonly taken: (before: number) => void
  /** Called when the log has been removed. */
  readonly gone: () => void
  /** Called with the reason when an entry cannot be applied after all retries. */
  readonly failed: (why: string) => void
}

/** Returns a follower that has applied nothing yet. */
export function createFollower({ copy, log: say, led, taken, gone, failed }: FollowerOptions): Follower {
  let following: Following | undefined
  let leader: Leader | undefined
  let sequence = 0
  let isStopped = false

  const take = createTaking({ effect, failed, log: say, isStopped: () => isStopped })

  async function effect({ sequence: at, text }: LogEntry): Promise<void> {
    if (at !== sequence + 1 || isStopped) return
    const entry = fleetEntryOf(text)
    if (entry.kind === 'inputs') {
      const before = copy.seq()
      await copy.take(entry.inputs)
      sequence = at
      return taken(before)
    }
    sequence = at
    leader = { member: entry.member, term: entry.term }
    led(leader)
  }

  async function loadSnapshot(log: JetStreamLog): Promise<void> {
    const saved = await log.snapshot()
    if (saved === undefined || saved.sequence <= sequence) return
    const { simulation, seq, leader: then } = copyOf(saved.bytes)
    copy.become(simulation, seq)
    sequence = saved.sequence
    leader = then
  }

  function follow(log: JetStreamLog): void {
    following?.stop()
    if (isStopped) return
    following = log.follow(sequence, {
      take,
      gone,
      missed: () => {
        say('warn', 'this member was disconnected for too long: it continues from a snapshot')
        void loadSnapshot(log)
          .catch((error: unknown) => say('error', thrownText(error)))
          .finally(() => follow(log))
      },
    })
  }

  const reached = async (wanted: number) => {
    while (sequence < wanted && !isStopped) await delay(2)
  }
  return {
    take,
    reached,
    leader: () => leader,
    sequence: () => sequence,
    join: async (log) => {
      await loadSnapshot(log)
      const end = await log.end()
      follow(log)
      await reached(end)
    },
    resume: () => following?.restart(),
    stop: () => {
      isStopped = true
      following?.stop()
    },
  }
}
