/** Answers calls from a recording, as of the cursor's moment (`mocks.md` §4.1). */
import { boundedCache } from '../../data/boundedCache.ts'
import { distinctTexts } from '../../data/distinctTexts.ts'
import type { Answer } from '../../node/answer.ts'
import { type PlaybackCursor, type CursorOptions, createCursor } from './cursor.ts'
import { createEventsOf } from './deriveStreams.ts'
import { createGuard, headGiven, heldAbove } from './heads.ts'
import { type Answers, type Library, type NoteSource, type StreamEvent, countUpTo, heightIn } from './library.ts'
import { type Known, byMethod, missAnswer } from './miss.ts'
import { isAboutHead } from './callTraits.ts'
import { createLookup } from './derive.ts'
import { createSearch } from './searches.ts'
import { answerAt, type Lookup } from './tipAnswers.ts'

export type PlayerOptions = CursorOptions & {
  /** Name of the recording, quoted in the error for a call that was not recorded. */
  readonly name: string
}

export type Player = {
  /** Name of the recording. */
  readonly name: string
  /** Advances the cursor to the given time, in real ms. */
  readonly advance: (nowMs: number) => void
  readonly cursor: () => number
  /** Returns the height of the last head up to the cursor, or of the first head. */
  readonly height: () => number
  readonly mine: (blocks: number) => void
  /** Returns whether a call was recorded or can be derived. */
  readonly has: (key: string) => boolean
  /**
   * Returns the answer to a call, or undefined while it has to wait. `connection` is set for a
   * WebSocket, whose client is held only to the heads that it has seen itself.
   */
  readonly ask: (key: string, nowMs: number, connection?: number) => Answer | undefined
  /**
   * Returns the events of a stream after one moment and up to another; undefined if there is no
   * such stream.
   */
  readonly told: (key: string, after: number, upTo: number) => readonly string[] | undefined
  /** Replaces the answers and streams from now on; heads and writes stay those of the start. */
  readonly change: (library: Library) => void
  /** Notes a text sent to a client, so that later answers to it are not below the heights in it. */
  readonly given: (text: string, connection?: number) => void
  /** Forgets a client whose connection has closed. */
  readonly drop: (connection: number) => void
  /** Counts a recorded call as used whose answer was given to another call. */
  readonly stoodIn: (key: string) => void
  /** Calls that were not recorded, each listed once; of many, the first ones. */
  readonly misses: () => readonly string[]
  /** Returns how many calls that were not recorded `misses` leaves out. */
  readonly moreMisses: () => number
  /**
   * Recorded calls that were answered, those from which other answers were derived, and of the latter the first
   * ones, each listed once.
   */
  readonly used: () => readonly string[]
  /** Returns how many calls with derived answers `used` leaves out. */
  readonly moreUsed: () => number
}

const standard: PlayerOptions = {
  pace: 'recorded',
  scale: 1,
  patienceMs: 15_000,
  name: 'recording',
}

/** Returns the answers and streams of a recording and, for misses, its known calls. */
function sourceOf(library: Library, note: NoteSource) {
  let known: Known | undefined
  const { answers, streams } = library
  return {
    recordedKey: (key: string) => {
      if (answers.has(key)) return answers.recordedKey?.(key) ?? key
      return streams.has(key) ? key : undefined
    },
    knowing: createKnowing(answers, note),
    eventsOf: createEventsOf(library, note),
    known: () => (known ??= byMethod([...library.answers.keys(), ...library.streams.keys()])),
  }
}

/** Returns an empty list of used calls. `recordedKey` returns the key under which a call was recorded, if it was. */
function createUses(recordedKey: (key: string) => string | undefined) {
  const [recorded, derived] = [new Set<string>(), distinctTexts()]
  let areAny = false
  function note(key: string): boolean {
    const known = recordedKey(key)
    if (known !== undefined) recorded.add(known)
    return known !== undefined
  }
  return {
    areAny: () => areAny,
    note,
    add: (key: string) => {
      areAny = true
      if (!note(key)) derived.add(key)
    },
    all: () => [...recorded, ...derived.all()],
    more: derived.more,
  }
}

/** Returns a playback before its first call. */
export function createPlayer(library: Library, given: Partial<PlayerOptions> = {}): Player {
  const options = { ...standard, ...given }
  const uses = createUses((key) => (writes.has(key) ? key : source.recordedKey(key)))
  let source = sourceOf(library, uses.note)
  const cursor = createCursor(library, options)
  const writes = new Set(library.writes.map(({ key }) => key))
  const missed = distinctTexts()
  const guard = createGuard()
  const stepWhenAgain = createStepping(cursor, options)
  const height = () => headAt(library, cursor.at())

  function write(key: string, nowMs: number): Answer | undefined {
    uses.add(key)
    const done = cursor.sent(key, nowMs)
    if (done !== undefined && cursor.at() >= done.ready) return done.answer
    stepWhenAgain(key, nowMs)
    return undefined
  }

  function read(key: string, nowMs: number, given: number): Answer | undefined {
    if (!source.knowing.has(key, height())) return miss(key)
    uses.add(key)
    stepWhenAgain(key, nowMs)
    return source.knowing.answer(key, { at: cursor.at(), head: height(), given })
  }

  function miss(key: string): Answer {
    missed.add(key)
    return missAnswer(key, source.known(), { recording: options.name, height: height() })
  }

  return {
    name: options.name,
    ask: (key, nowMs, connection) => {
      cursor.pass(nowMs)
      cursor.asked(key)
      const answer = writes.has(key) ? write(key, nowMs) : read(key, nowMs, guard.headOf(connection))
      if (answer?.ok === true) guard.raise(headGiven(key, answer), connection)
      // A call that got no response while recording gets none now.
      return answer?.ok === undefined ? undefined : answer
    },
    height,
    cursor: cursor.at,
    mine: cursor.mine,
    advance: (nowMs) => {
      if (uses.areAny()) cursor.pass(nowMs)
    },
    has: (key) => writes.has(key) || source.knowing.has(key, height()),
    misses: missed.all,
    moreMisses: missed.more,
    used: uses.all,
    moreUsed: uses.more,
    told: (key, after, upTo) => {
      const events = source.eventsOf(key)
      if (events === undefined) return undefined
      uses.add(key)
      cursor.asked(key)
      return between(events, after, upTo)
    },
    change: (next) => {
      source = sourceOf(next, uses.note)
    },
    given: (text, connection) => guard.raise(heightIn(text), connection),
    drop: guard.drop,
    stoodIn: uses.note,
  }
}

/** Maximum number of calls of which pace `step` knows when they were made. */
const mostRemembered = 100_000

/** With pace `step`, a client that repeats a request is waiting for a change. */
function createStepping(cursor: PlaybackCursor, { pace }: PlayerOptions) {
  const askedAt = boundedCache<number>(mostRemembered, () => 1)
  return (key: string, nowMs: number): void => {
    if (pace !== 'step') return
    if (askedAt.get(key) === cursor.at()) cursor.step(nowMs)
    askedAt.set(key, cursor.at())
  }
}

function headAt({ heads }: Library, at: number): number {
  return (heads[countUpTo(heads, at, (head) => head.at) - 1] ?? heads[0])?.height ?? 0
}

function between(events: readonly StreamEvent[], after: number, upTo: number): readonly string[] {
  const [from, to] = [after, upTo].map((limit) => countUpTo(events, limit, ({ at }) => at))
  return events.slice(from, to).map(({ text }) => text)
}

/** The moment of a call, the head at that moment, and the head that the client has seen. */
export type Moment = { readonly at: number; readonly head: number; readonly given: number }

export type Knowing = {
  /** Returns whether a call has an answer at a head height. */
  readonly has: (key: string, head: number) => boolean
  /** Returns the answer to a call; undefined if there is none, or none yet. */
  readonly answer: (key: string, moment: Moment) => Answer | undefined
}

/** Returns a source of answers over recorded ones. It reads blocks on first use. */
function createKnowing(answers: Answers, note: NoteSource): Knowing {
  const lookup = createLookup(answers, note)
  /** Also notes what it looks up, for answers that consist of others. */
  const sources: Lookup = (key) => {
    note(key)
    return lookup(key)
  }
  const search = createSearch(sources)
  return {
    has: (key, head) =>
      lookup(key) !== undefined ||
      search(key, head) !== undefined ||
      (isAboutHead(key) && answerAt(key, head, { held: [], lookup: sources }) !== undefined),
    answer: (key, moment) => {
      const held = lookup(key)
      const found = held === undefined ? search(key, moment.head) : undefined
      // Without the blocks of the head, a recorded call about it still has its recorded answers.
      const isWhole = held !== undefined && isAboutHead(key)
      return found ?? heldAbove({ key, held: held ?? [], lookup: isWhole ? lookup : sources, ...moment })
    },
  }
}
