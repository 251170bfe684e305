import { SimError } from '../../errors.ts'
import type { ChunkStore } from './chunkStore.ts'

/**
 * The log of inputs that change a chain: a snapshot of the node, and every later input. Inputs are
 * numbered 1, 2, 3, … without gaps. Acknowledged entries are never lost.
 */
export type InputLog = {
  /** The store of old blocks and states, to which snapshots may refer. */
  readonly history?: ChunkStore
  /** Returns the number of the last entry that was read or appended, or 0. */
  readonly last: () => number
  /** Resolves with the latest snapshot, or undefined. */
  readonly snapshot: () => Promise<Snapshot | undefined>
  /** Yields the entries after a snapshot or entry, oldest first. Throws `BrokenLog`. */
  readonly read: (after: number) => AsyncIterable<LogEntry>
  /**
   * Resolves when an entry is acknowledged, in the order of entries. Rejects if the entry does not
   * follow the last one or cannot be kept; no later entry is acknowledged then.
   */
  readonly append: (entry: LogEntry) => Promise<void>
  /**
   * Stores a snapshot and removes the entries that it contains. Entries appended meanwhile follow
   * the snapshot.
   */
  readonly shorten: (snapshot: Snapshot) => Promise<void>
  /** Resolves when all appended entries are acknowledged and all files are closed. */
  readonly close: () => Promise<void>
}

/** An entry; `text` is the line of an input (`entryText.ts`). */
export type LogEntry = { readonly sequence: number; readonly text: string }

/**
 * The bytes of a state file: the node after the input with that number. They may refer to chunks in
 * the log's history, which are synced before the snapshot.
 */
export type Snapshot = { readonly sequence: number; readonly bytes: Uint8Array }

/** An entry does not follow the last one. */
export class OutOfOrder extends SimError {
  constructor(expected: number, received: number) {
    super('OUT_OF_ORDER', `expected entry ${expected} of the input log, received entry ${received}`)
  }
}
