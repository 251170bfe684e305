/**
 * The current moment of a playback. The cursor advances with time, with `mine`, or with requests,
 * and never moves back. It waits for each recorded write and for rare client calls, so that a
 * client finds the recorded chain at any speed.
 */
import { type Ask, type Library, type Write, countUpTo } from './library.ts'
import { digestOf } from './draft.ts'

/**
 * `recorded` follows time; `mine` advances on command, block by block; `step` advances to the next
 * change when a client repeats a request.
 */
export type CursorPace = 'recorded' | 'mine' | 'step'

export type CursorOptions = {
  readonly pace: CursorPace
  /** Ratio of recorded time to real time: 2 plays twice as fast. */
  readonly scale: number
  /** Time in real ms that the cursor waits for a recorded write that does not come. */
  readonly patienceMs: number
}

export type PlaybackCursor = {
  readonly at: () => number
  /** Advances by the real time since the previous call; the first call starts the clock. */
  readonly pass: (nowMs: number) => void
  /** Notes a client's call, so that the cursor no longer waits for it. */
  readonly asked: (key: string) => void
  /** Notes a client's write; returns the recorded write, or undefined if there is none. */
  readonly sent: (key: string, nowMs: number) => Write | undefined
  /**
   * Moves by a number of blocks, at most to the last one. A block stops at a missing write, which the
   * next block moves past.
   */
  readonly mine: (blocks: number) => void
  /** Moves to the next moment at which something changed. */
  readonly step: (nowMs: number) => void
}

const shortly = 0.01

/** Returns the moments at which something changed, in ascending order. */
function boundsOf({ heads, writes }: Library): readonly number[] {
  return [...heads.map(({ at }) => at), ...writes.map(({ ready }) => ready)].toSorted((a, b) => a - b)
}

/** Measures how long the cursor has been blocked. */
function createPatience(patienceMs: () => number) {
  let since: number | undefined
  return {
    reset: () => {
      since = undefined
    },
    /** Returns whether the cursor has waited long enough; if so, restarts the measurement. */
    isOver: (isHeldUp: boolean, nowMs: number) => {
      since = isHeldUp ? (since ?? nowMs) : undefined
      if (since === undefined || nowMs - since < patienceMs()) return false
      since = undefined
      return true
    },
  }
}

/** Returns a cursor at the start of the recording. */
export function createCursor(library: Library, { pace, scale, patienceMs }: CursorOptions): PlaybackCursor {
  const { startsAt, heads, writes } = library
  const gates = createGates(library, { patienceMs, forClients: pace === 'recorded' })
  const recorded = new Map<string, Write>(writes.toReversed().map((one) => [one.key, one]))
  const made = new Map<string, Write>()
  const [bounds, patience] = [boundsOf(library), createPatience(gates.patienceMs)]
  let at = startsAt
  /** The position of the cursor at recorded speed, which is the speed of clients. */
  let clientsAt = startsAt
  let clock: number | undefined

  /** Moves, but not past an awaited call or write; returns whether it stopped short of one. */
  function move(target: number): boolean {
    const limit = gates.limit()
    at = Math.max(at, Math.min(target, limit - shortly))
    return at < limit - shortly
  }

  function moveWaiting(target: number, nowMs: number): void {
    const isFree = move(target)
    // At a higher speed, clients are late only when the recorded time of the call has come.
    const isDue = !isFree && (pace !== 'recorded' || clientsAt >= gates.limit())
    if (patience.isOver(isDue, nowMs)) gates.giveUp()
  }

  /** Moves to the next block; returns whether there is one. */
  function mine(): boolean {
    const next = heads[countUpTo(heads, at, (head) => head.at)]
    if (next === undefined) return false
    gates.skipWrite(({ from }) => from <= next.at && at >= from - 2 * shortly)
    move(next.at)
    return true
  }

  if (pace !== 'recorded') move(heads[0]?.at ?? startsAt)
  return {
    at: () => at,
    pass: (nowMs) => {
      const elapsed = clock === undefined ? undefined : Math.max(0, nowMs - clock)
      clock = nowMs
      if (pace !== 'recorded' || elapsed === undefined) return
      clientsAt = Math.max(clientsAt, Math.min(clientsAt + elapsed, gates.limit()))
      moveWaiting(at + elapsed * scale, nowMs)
    },
    asked: (key) => {
      const recordedAt = gates.asked(key)
      if (recordedAt === undefined) return
      patience.reset()
      // At a lower speed, clients are ahead of the cursor.
      move(Math.min(recordedAt, clientsAt))
      clientsAt = Math.max(clientsAt, Math.min(recordedAt, gates.limit()))
    },
    sent: (key, nowMs) => {
      const isOpen = gates.isOpen(key)
      const found = gates.sent(key)
      if (found !== undefined) {
        patience.reset()
        made.set(key, found)
        at = Math.max(at, found.from)
        clientsAt = at
        clock = nowMs
      }
      return made.get(key) ?? (isOpen ? undefined : recorded.get(key))
    },
    mine: (blocks) => {
      for (let left = blocks; left > 0 && mine(); ) left -= 1
    },
    step: (nowMs) => moveWaiting(bounds[countUpTo(bounds, at, (one) => one)] ?? at + 100, nowMs),
  }
}

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
function createGates(
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
