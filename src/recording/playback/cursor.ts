/**
 * The moment of a recording at which a playback stands. It moves with time, with `mine`, or with what
 * is asked; never past a write that the clients have not made yet, so that a slow client finds the
 * chain as it was, and never back.
 */
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
  /** A client sends a write; returns it when it is one of the recording. */
  readonly sent: (key: string, nowMs: number) => Write | undefined
  /** To the next block, or up to a write that is missing; a second time, past it. */
  readonly mine: (blocks: number) => void
  /** To the next moment at which something changed. */
  readonly step: (nowMs: number) => void
}

const shortly = 0.01

/** Returns a cursor at the beginning. */
export function createCursor(
  { startsAt, heads, writes }: Library, { pace, scale, patienceMs }: CursorOptions,
): Cursor {
  const open = [...writes]
  const recorded = new Map<string, Write>(writes.toReversed().map((one) => [one.key, one]))
  const made = new Map<string, Write>()
  const bounds = [...heads.map(({ at }) => at), ...writes.map(({ ready }) => ready)].toSorted((a, b) => a - b)
  let at = startsAt
  let clock: number | undefined
  let heldUpSince: number | undefined

  /** Moves, but not past a write; says whether it got there. */
  function move(target: number): boolean {
    const [next] = open
    const isFree = next === undefined || target < next.from
    at = Math.max(at, isFree ? target : next.from - shortly)
    return isFree
  }

  function moveWaiting(target: number, nowMs: number): void {
    if (move(target)) {
      heldUpSince = undefined
      return
    }
    heldUpSince ??= nowMs
    if (nowMs - heldUpSince < patienceMs) return
    open.shift()
    heldUpSince = undefined
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
    sent: (key, nowMs) => {
      const index = open.findIndex((one) => one.key === key)
      const found = open[index]
      if (found !== undefined && index === 0) {
        open.shift()
        heldUpSince = undefined
        made.set(key, found)
        at = Math.max(at, found.from)
        clock = nowMs
      }
      return made.get(key) ?? (found === undefined ? recorded.get(key) : undefined)
    },
    mine: (blocks) => {
      for (let count = 0; count < blocks; count++) {
        const next = heads[countUpTo(heads, at, (head) => head.at)]
        const [write] = open
        if (next === undefined) return
        if (write !== undefined && write.from <= next.at && at >= write.from - 2 * shortly) open.shift()
        move(next.at)
      }
    },
    step: (nowMs) => moveWaiting(bounds[countUpTo(bounds, at, (one) => one)] ?? at + 100, nowMs),
  }
}
