/**
 * The log of the inputs that change a chain: a snapshot of the node, and every such input since
 * then. Inputs are numbered 1, 2, 3, … without gaps. What is acknowledged is never lost.
 */
export type InputLog = {
  /** The number of the last entry that was read or appended; 0 before the first. */
  readonly last: () => number
  /** Resolves with the newest snapshot; undefined where there is none yet. */
  readonly snapshot: () => Promise<Snapshot | undefined>
  /** The entries that follow a snapshot or an entry, oldest first. Throws `BrokenLog`. */
  readonly read: (after: number) => AsyncIterable<Entry>
  /**
   * Resolves when an entry is acknowledged, in the order of the entries. It rejects where the entry
   * does not follow the last one, or cannot be kept; nothing after it is acknowledged then.
   */
  readonly append: (entry: Entry) => Promise<void>
  /**
   * Resolves when a snapshot is kept. The entries up to its own are removed; entries that are
   * appended meanwhile follow it.
   */
  readonly shorten: (snapshot: Snapshot) => Promise<void>
  /** Resolves when all that was appended is acknowledged and nothing is open any more. */
  readonly close: () => Promise<void>
}

/** `text` is the line of an input (`entryText.ts`). */
export type Entry = { readonly sequence: number; readonly text: string }

/** The bytes of a state file: the node after the input of that number. */
export type Snapshot = { readonly sequence: number; readonly bytes: Uint8Array }
