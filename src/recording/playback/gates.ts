/**
 * What a cursor waits for: writes that clients have not made yet, and clients that are not there.
 */
import { digestOf } from './draft.ts'
import type { Ask, Library, Write } from './library.ts'

export type Gates = {
  /** Returns the moment of the first of them; the cursor stays before it. */
  readonly limit: () => number
  /** Returns how long it is waited for, in real ms. */
  readonly patienceMs: () => number
  /** Gives up the first, and clients altogether after some that did not come. */
  readonly giveUp: () => void
  /** A client makes a call; returns when it was recorded, if it was waited for. */
  readonly asked: (key: string) => number | undefined
  /** A client sends a write; returns it when it is the next one. */
  readonly sent: (key: string) => Write | undefined
  /** Returns whether a write is still to be made. */
  readonly isOpen: (key: string) => boolean
  /** Leaves out the next write when it stands right before a moment. */
  readonly skipWrite: (isMeant: (write: Write) => boolean) => void
}

/** How long the cursor waits for a client that is not there yet, in real ms. */
const forClientsMs = 5000

/** How many calls that do not come are waited for before clients are not waited for any more. */
const mostMissing = 3

/** Returns the gates of a recording; `forClients` says whether clients are waited for, too. */
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
      // What was asked after a write is not what is asked before it.
      if (found === undefined || found.at > writeAt()) return undefined
      missing.splice(index, 1)
      return found.at
    },
    sent: (key) => {
      const [next] = open
      if (next?.key !== key) return undefined
      open.shift()
      // Time has gone past whoever was to come before.
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
