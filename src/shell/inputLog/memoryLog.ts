/** The input log in memory: it acknowledges at once, and ends with the process. */
import { type LogEntry, type InputLog, OutOfOrder, type Snapshot } from './inputLog.ts'

/** Returns an empty log. It accepts entries after its first snapshot. */
export function createMemoryLog(): InputLog {
  let snapshot: Snapshot | undefined
  let entries: LogEntry[] = []
  let last = 0
  let isClosed = false
  return {
    last: () => last,
    snapshot: () => Promise.resolve(snapshot),
    async *read(after) {
      yield* entries.filter(({ sequence }) => sequence > after)
    },
    append: async (entry) => {
      if (snapshot === undefined || isClosed || entry.sequence !== last + 1) {
        throw new OutOfOrder(last + 1, entry.sequence)
      }
      last = entry.sequence
      entries.push(entry)
    },
    shorten: async (next) => {
      if (isClosed) throw new OutOfOrder(last + 1, next.sequence)
      snapshot = next
      last = Math.max(last, next.sequence)
      entries = entries.filter(({ sequence }) => sequence > next.sequence)
    },
    close: async () => {
      isClosed = true
    },
  }
}
