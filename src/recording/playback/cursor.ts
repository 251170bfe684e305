/**
 * The moment of a recording at which a playback stands. It moves with time, with `mine`, or with
 * requests. It never moves back, and it waits for each recorded write and for calls that clients
 * make only a few times, so that a client finds the chain as it was at any speed.
 */
import { createGates } from './gates.ts'
import { countUpTo, type Library, type Write } from './library.ts'

/** `recorded`: with time; `mine`: a block when told; `step`: a change when a client asks again. */
export type CursorPace = 'recorded' | 'mine' | 'step'

export type CursorOptions = {
  readonly pace: CursorPace
  /** Of recorded time to real time: 2 plays twice as fast. */
  readonly scale: number
  /** How long, in real ms, the cursor waits for a recorded write that does not come. */
  readonly patienceMs: number
}

export type Cursor = {
  readonly at: () => number
  /** Real time has passed; it begins with the first call. */
  readonly pass: (nowMs: number) => void
  /** A client makes a call: the cursor need not wait for it any more. */
  readonly asked: (key: string) => void
  /** A client sends a write; returns it when it is one of the recording. */
  readonly sent: (key: string, nowMs: number) => Write | undefined
  /** To the next block, or up to a write that is missing; a second time, past it. */
  readonly mine: (blocks: number) => void
  /** To the next moment at which something changed. */
  readonly step: (nowMs: number) => void
}

const shortly = 0.01

/** Returns the moments at which something changed, rising. */
function boundsOf({ heads, writes }: Library): readonly number[] {
  return [...heads.map(({ at }) => at), ...writes.map(({ ready }) => ready)].toSorted((a, b) => a - b)
}

/** Measures how long the cursor has been held up. */
function createPatience(patienceMs: () => number) {
  let since: number | undefined
  return {
    reset: () => {
      since = undefined
    },
    /** Returns whether it has waited long enough; then it starts over. */
    isOver: (isHeldUp: boolean, nowMs: number) => {
      since = isHeldUp ? (since ?? nowMs) : undefined
      if (since === undefined || nowMs - since < patienceMs()) return false
      since = undefined
      return true
    },
  }
}

/** Returns a cursor at the beginning. */
export function createCursor(library: Library, { pace, scale, patienceMs }: CursorOptions): Cursor {
  const { startsAt, heads, writes } = library
  const gates = createGates(library, { patienceMs, forClients: pace === 'recorded' })
  const recorded = new Map<string, Write>(writes.toReversed().map((one) => [one.key, one]))
  const made = new Map<string, Write>()
  const [bounds, patience] = [boundsOf(library), createPatience(gates.patienceMs)]
  let at = startsAt
  /** Where the cursor would be at the pace of the recording, at which clients run. */
  let clientsAt = startsAt
  let clock: number | undefined

  /** Moves, but not past what is waited for; says whether it stands before that afterwards. */
  function move(target: number): boolean {
    const limit = gates.limit()
    at = Math.max(at, Math.min(target, limit - shortly))
    return at < limit - shortly
  }

  function moveWaiting(target: number, nowMs: number): void {
    const isFree = move(target)
    // At a greater speed, clients are not late before they would be at the recorded one.
    const isDue = !isFree && (pace !== 'recorded' || clientsAt >= gates.limit())
    if (patience.isOver(isDue, nowMs)) gates.giveUp()
  }

  function mine(): void {
    const next = heads[countUpTo(heads, at, (head) => head.at)]
    if (next === undefined) return
    gates.skipWrite(({ from }) => from <= next.at && at >= from - 2 * shortly)
    move(next.at)
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
      for (let count = 0; count < blocks; count++) mine()
    },
    step: (nowMs) => moveWaiting(bounds[countUpTo(bounds, at, (one) => one)] ?? at + 100, nowMs),
  }
}
