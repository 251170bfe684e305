/** The writes and client calls that a cursor waits for. */
import { digestOf } from './draft.ts'
import type { Ask, Library, Write } from './library.ts'

export type Gates = {
  /** Returns the moment of the first awaited call or write; the cursor stays before it. */
  readonly limit: () => number
  /** Returns the time in real ms to wait for it. */
  readonly patienceMs: () => number
  /**
   * Gives up the first awaited call or write. After three missing calls, gives up all awaited
   * calls.
   */
  readonly giveUp: () => void
  /** Notes a client's call; returns its recorded time if it was awaited. */
  readonly asked: (key: string) => number | undefined
  /** Notes a client's write; returns the recorded write if it is the next one. */
  readonly sent: (key: string) => Write | undefined
  /** Returns whether a write is still awaited. */
  readonly isOpen: (key: string) => boolean
  /** Skips the next write if it matches. */
  readonly skipWrite: (isMeant: (write: Write) => boolean) => void
}

/** Maximum time in real ms that the cursor waits for a missing client. */
const forClientsMs = 5000

/** Number of missing calls after which the cursor waits for no more calls. */
const mostMissing = 3

/**
 * Returns the gates of a recording. `forClients` enables waiting for client calls, not only writes.
 */
export function createGates(
  { writes, asks }: Library,
  { patienceMs, forClients }: { patienceMs: number; forClients: boolean },
): Gates {
  const open = [...writes]
  let missing = forClients ? [...asks] : []
  let givenUp = 0
  const writeAt = () => open[0]?.from ?? Infinity
  const clientAt = () => missing[0]?.at ?? Infinity
  return {
    limit: () => Math.min(writeAt(), clientAt()),
    patienceMs: () => (writeAt() <= clientAt() ? patienceMs : Math.min(patienceMs, forClientsMs)),
    giveUp: () => {
      if (writeAt() <= clientAt()) return void open.shift()
      givenUp += 1
      const [first] = missing
      const isOther = ({ digest }: Ask) => digest !== first?.digest
      missing = givenUp >= mostMissing ? [] : missing.filter(isOther)
    },
    asked: (key) => {
      if (missing.length === 0) return undefined
      const digest = digestOf(key)
      const index = missing.findIndex((one) => one.digest === digest)
      const found = missing[index]
      // A call recorded after the awaited write is not the same as one before it.
      if (found === undefined || found.at > writeAt()) return undefined
      missing.splice(index, 1)
      return found.at
    },
    sent: (key) => {
      const [next] = open
      if (next?.key !== key) return undefined
      open.shift()
      // The cursor jumps to the write, past the calls awaited before it.
      while (clientAt() <= next.from) missing.shift()
      return next
    },
    isOpen: (key) => open.some((one) => one.key === key),
    skipWrite: (isMeant) => {
      const [next] = open
      if (next !== undefined && isMeant(next)) open.shift()
    },
  }
}
