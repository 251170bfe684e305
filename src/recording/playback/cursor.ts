/**
 * The moment of a recording at which a playback stands. It moves with time, with `mine`, or with what
 * is asked; never past a write that the clients have not made yet, nor past the first calls of a
 * client that is not there yet, so that a slow client finds the chain as it was; and never back.
 */
import { digestOf } from './draft.ts'
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

/** How long the cursor waits for a client that is not there yet, in real ms. */
const forClientsMs = 5000

/** Returns a cursor at the beginning. */
export function createCursor(
  { startsAt, heads, writes, asks }: Library, { pace, scale, patienceMs }: CursorOptions,
): Cursor {
  const open = [...writes]
  const missing = pace === 'recorded' ? [...asks] : []
  const recorded = new Map<string, Write>(writes.toReversed().map((one) => [one.key, one]))
  const made = new Map<string, Write>()
  const bounds = [...heads.map(({ at }) => at), ...writes.map(({ ready }) => ready)].toSorted((a, b) => a - b)
  let at = startsAt
  let clock: number | undefined
  let heldUpSince: number | undefined

  /** Moves, but not past a write or a client that is missing; says whether it got there. */
  function move(target: number): boolean {
    const limit = Math.min(open[0]?.from ?? Infinity, missing[0]?.at ?? Infinity)
    const isFree = target < limit
    at = Math.max(at, isFree ? target : limit - shortly)
    return isFree
  }

  /** Gives up what was waited for; whoever does not come once is not waited for again. */
  function giveUp(): void {
    const isWrite = (open[0]?.from ?? Infinity) <= (missing[0]?.at ?? Infinity)
    if (isWrite) open.shift()
    else missing.length = 0
    heldUpSince = undefined
  }

  function moveWaiting(target: number, nowMs: number): void {
    if (move(target)) {
      heldUpSince = undefined
      return
    }
    heldUpSince ??= nowMs
    const isWrite = (open[0]?.from ?? Infinity) <= (missing[0]?.at ?? Infinity)
    if (nowMs - heldUpSince >= (isWrite ? patienceMs : Math.min(patienceMs, forClientsMs))) giveUp()
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
    asked: (key) => {
      const [first] = missing
      if (first === undefined) return
      const digest = digestOf(key)
      const index = missing.findIndex((one) => one.digest === digest)
      if (index < 0) return
      missing.splice(index, 1)
      if (index === 0) heldUpSince = undefined
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
