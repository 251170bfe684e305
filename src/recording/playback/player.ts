/** Answers calls out of a recording, by where its cursor stands (`mocks.md` §4.1). */
import type { Answer } from '../../node/answer.ts'
import { createCursor, type CursorOptions } from './cursor.ts'
import { streamsOfBlocks } from './deriveStreams.ts'
import { createGuard, headGiven } from './heads.ts'
import { createKnowing } from './knowing.ts'
import { countUpTo, heightIn, type Library, type StreamEvent } from './library.ts'
import { byMethod, missAnswer, type Known } from './miss.ts'

export type PlayerOptions = CursorOptions & {
  /** Named in the answer to a call that was not recorded. */
  readonly name: string
}

export type Player = {
  /** The name of the recording. */
  readonly name: string
  /** Moves the cursor to where it is at this moment, in real ms. */
  readonly advance: (nowMs: number) => void
  readonly cursor: () => number
  /** Returns the height of the last head before the cursor, or of the first one. */
  readonly height: () => number
  readonly mine: (blocks: number) => void
  /** Returns whether a call was recorded. */
  readonly has: (key: string) => boolean
  /**
   * Returns the answer to a call, or undefined while it has to wait; `connection` is set over a
   * WebSocket, whose client is only held to the heads that it was given itself.
   */
  readonly ask: (key: string, nowMs: number, connection?: number) => Answer | undefined
  /**
   * Returns what a stream tells after one moment and up to another; undefined for no such stream.
   */
  readonly told: (key: string, after: number, upTo: number) => readonly string[] | undefined
  /** Answers out of other answers and streams of the same recording from now on. */
  readonly change: (library: Library) => void
  /** Notes what a client was given, so that no answer to it names a height below. */
  readonly given: (text: string, connection?: number) => void
  /** Calls that were not recorded, each once. */
  readonly misses: () => readonly string[]
  /** Calls that were answered, each once. */
  readonly used: () => readonly string[]
}

const standard: PlayerOptions = {
  pace: 'recorded',
  scale: 1,
  patienceMs: 15_000,
  name: 'recording',
}

/** Returns what a library says: its answers, its streams and, for misses, the names of both. */
function sourceOf(library: Library) {
  const derived = streamsOfBlocks(library)
  let known: Known | undefined
  return {
    knowing: createKnowing(library.answers),
    eventsOf: (key: string) => library.streams.get(key) ?? derived(key),
    known: () => (known ??= byMethod([...library.answers.keys(), ...library.streams.keys()])),
  }
}

/** Returns a playback before its first call. */
export function createPlayer(library: Library, given: Partial<PlayerOptions> = {}): Player {
  const options = { ...standard, ...given }
  let source = sourceOf(library)
  const cursor = createCursor(library, options)
  const writes = new Set(library.writes.map(({ key }) => key))
  const missed = new Set<string>()
  const used = new Set<string>()
  const askedAt = new Map<string, number>()
  const guard = createGuard()
  const height = () => headAt(library, cursor.at())

  function write(key: string, nowMs: number): Answer | undefined {
    used.add(key)
    const done = cursor.sent(key, nowMs)
    if (done !== undefined && cursor.at() >= done.ready) return done.answer
    stepWhenAgain(key, nowMs)
    return undefined
  }

  function read(key: string, nowMs: number, given: number): Answer | undefined {
    if (!source.knowing.has(key, height())) return miss(key)
    used.add(key)
    stepWhenAgain(key, nowMs)
    return source.knowing.answer(key, { at: cursor.at(), head: height(), given })
  }

  /** In step with the clients, asking the same again is waiting for a change. */
  function stepWhenAgain(key: string, nowMs: number): void {
    if (options.pace !== 'step') return
    if (askedAt.get(key) === cursor.at()) cursor.step(nowMs)
    askedAt.set(key, cursor.at())
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
      // Whoever was not answered while this was recorded waits again.
      return answer?.ok === undefined ? undefined : answer
    },
    height,
    cursor: cursor.at,
    mine: cursor.mine,
    advance: (nowMs) => {
      if (used.size > 0) cursor.pass(nowMs)
    },
    has: (key) => writes.has(key) || source.knowing.has(key, height()),
    misses: () => [...missed],
    used: () => [...used],
    told: (key, after, upTo) => {
      const events = source.eventsOf(key)
      if (events === undefined) return undefined
      used.add(key)
      cursor.asked(key)
      return between(events, after, upTo)
    },
    change: (next) => {
      source = sourceOf(next)
    },
    given: (text, connection) => guard.raise(heightIn(text), connection),
  }
}

function headAt({ heads }: Library, at: number): number {
  return (heads[countUpTo(heads, at, (head) => head.at) - 1] ?? heads[0])?.height ?? 0
}

function between(events: readonly StreamEvent[], after: number, upTo: number): readonly string[] {
  const [from, to] = [after, upTo].map((limit) => countUpTo(events, limit, ({ at }) => at))
  return events.slice(from, to).map(({ text }) => text)
}
