/** When a snapshot of a chain is due, and which member writes it: one that does not lead, if any. */
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
  /** After how many inputs. */
  readonly every: number
}

/** Returns what is told of inputs that took effect; `before` is the number of the one before them. */
export function createSnapshotting(options: SnapshottingOptions): (before: number) => void {
  const { copy, follower, log, say, self, alive, every } = options

  async function write(): Promise<void> {
    const leader = follower().leader()
    try {
      const bytes = copyBytes(copy.shared(), { seq: copy.seq(), leader })
      await log()?.shorten({ sequence: follower().sequence(), bytes })
    } catch (error) {
      say('warn', `a snapshot could not be written: ${thrownText(error)}`)
    }
  }

  return (before) => {
    const now = copy.seq()
    const passed = (offset: number) => Math.floor((now + offset) / every) > Math.floor((before + offset) / every)
    // Half an interval later the leader does what nobody did; a snapshot that is there stays.
    const half = every >> 1
    if (!passed(0) && !passed(half)) return
    const leader = follower().leader()?.member
    const others = alive().filter((member) => member !== leader)
    const chosen = others[Math.floor(now / every) % Math.max(others.length, 1)] ?? leader
    if (passed(0) ? chosen === self : leader === self) void write()
  }
}
