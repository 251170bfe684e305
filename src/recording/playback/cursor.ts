/**
 * The moment of a recording at which a playback stands. It moves with time, with `mine`, or with
 * what is asked; never past a write that the clients have not made yet, nor past the first calls of
 * a client that is not there yet, so that a slow client finds the chain as it was; and never back.
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

/** Returns a cursor at the beginning. */
export function createCursor(library: Library, { pace, scale, patienceMs }: CursorOptions): Cursor {
  const { startsAt, heads, writes } = library
  const gates = createGates(library, { patienceMs, forClients: pace === 'recorded' })
  const recorded = new Map<string, Write>(writes.toReversed().map((one) => [one.key, one]))
  const made = new Map<string, Write>()
  const bounds = [
    ...heads.map(({ at }) => at), ...writes.map(({ ready }) => ready),
  ].toSorted((a, b) => a - b)
  let at = startsAt
  let clock: number | undefined
  let heldUpSince: number | undefined

  /** Moves, but not past what is waited for; says whether it got there. */
  function move(target: number): boolean {
    const limit = gates.limit()
    const isFree = target < limit
    at = Math.max(at, isFree ? target : limit - shortly)
    return isFree
  }

  function moveWaiting(target: number, nowMs: number): void {
    const isFree = move(target)
    heldUpSince = isFree ? undefined : heldUpSince ?? nowMs
    if (heldUpSince === undefined || nowMs - heldUpSince < gates.patienceMs()) return
    gates.giveUp()
    heldUpSince = undefined
  }

  function sent(key: string, nowMs: number): Write | undefined {
    const isOpen = gates.isOpen(key)
    const found = gates.sent(key)
    if (found !== undefined) {
      heldUpSince = undefined
      made.set(key, found)
      at = Math.max(at, found.from)
      clock = nowMs
    }
    return made.get(key) ?? (isOpen ? undefined : recorded.get(key))
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
      const elapsed = Math.max(0, nowMs - (clock ?? nowMs))
      const isFirst = clock === undefined
      clock = nowMs
      if (pace === 'recorded' && !isFirst) moveWaiting(at + elapsed * scale, nowMs)
    },
    asked: (key) => { if (gates.asked(key)) heldUpSince = undefined },
    sent,
    mine: (blocks) => { for (let count = 0; count < blocks; count++) mine() },
    step: (nowMs) => moveWaiting(bounds[countUpTo(bounds, at, (one) => one)] ?? at + 100, nowMs),
  }
}
