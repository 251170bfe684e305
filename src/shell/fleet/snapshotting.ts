/**
 * Decides when a snapshot of a chain is due, and which member writes it. Members that do not lead
 * come first.
 */
import { thrownText } from '../../errors.ts'
import type { Sinks } from '../queue.ts'
import type { Copy } from './copy.ts'
import type { Follower } from './following.ts'
import type { JetStreamLog } from './jetStreamLog.ts'
import { copyBytes } from './savedCopy.ts'

export type SnapshottingOptions = {
  readonly copy: Copy
  readonly follower: () => Follower
  readonly log: () => JetStreamLog | undefined
  readonly say: Sinks['log']
  readonly self: string
  readonly alive: () => readonly string[]
  /** Number of inputs between snapshots. */
  readonly every: number
}

/**
 * Returns a function to call after inputs were applied; `before` is the `seq` of the last input
 * before them.
 */
export function createSnapshotting(options: SnapshottingOptions): (before: number) => void {
  const { copy, follower, log, say, self, alive, every } = options

  async function write(): Promise<void> {
    const leader = follower().leader()
    try {
      const bytes = copyBytes(copy.shared(), { seq: copy.seq(), leader })
      await log()?.shorten({ sequence: follower().sequence(), bytes })
    } catch (error) {
      say('warn', `cannot write a snapshot: ${thrownText(error)}`)
    }
  }

  return (before) => {
    const now = copy.seq()
    const passed = (offset: number) => Math.floor((now + offset) / every) > Math.floor((before + offset) / every)
    // Half an interval later the leader makes up for a missing snapshot; an existing one stays.
    const half = every >> 1
    if (!passed(0) && !passed(half)) return
    const leader = follower().leader()?.member
    const others = alive().filter((member) => member !== leader)
    const chosen = others[Math.floor(now / every) % Math.max(others.length, 1)] ?? leader
    if (passed(0) ? chosen === self : leader === self) void write()
  }
}
