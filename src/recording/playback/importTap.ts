/** Imports a proxy's raw traffic, one exchange per line, as a recording. */
import { membersOf } from '../../data/members.ts'
import { SimError } from '../../errors.ts'
import type { ParameterNames } from './callKey.ts'
import { emptyDraft } from './draft.ts'
import type { Library } from './library.ts'
import { libraryOf } from './libraryOf.ts'
import { takeLine } from './takeLine.ts'
import { isExchange, type TapLine } from './tapLine.ts'
import { tenths } from './headTimes.ts'

/** Reads traffic line by line; `library` returns the recording so far. */
export type Importer = {
  /** Reads the next line; the first states the format. Throws `BadTraffic`. */
  readonly line: (text: string) => void
  readonly library: () => Library
}

/** Returns a reader before its first line. `names` gives the names of positional parameters. */
export function createImporter(names: ParameterNames): Importer {
  const draft = emptyDraft(names)
  let count = 0
  let startsAt = Infinity
  return {
    line: (text) => {
      const value = parseTraffic(text, count)
      count += 1
      if (count === 1) return
      const line = exchangeIn(value, count)
      startsAt = Math.min(startsAt, line.t)
      try {
        takeLine(draft, line)
      } catch (error) {
        // A call that cannot be parsed has no key; playback rejects it as the node did.
        if (!(error instanceof SyntaxError || error instanceof URIError)) throw error
      }
    },
    library: () => libraryOf({ ...draft, startsAt: Number.isFinite(startsAt) ? startsAt : 0 }),
  }
}

/** Returns the exchange in a line, counted from 1. Throws `BadTraffic` for a value that is none. */
export function exchangeIn(value: unknown, number: number): TapLine {
  const { t, kind, method, path, at, req, res, text } = membersOf(value)
  const areTexts = (list: readonly unknown[]) => list.every((one) => one === undefined || typeof one === 'string')
  if (typeof t !== 'number' || !areTexts([kind, method, path, at])) {
    throw new BadTraffic(`line ${number} is not an exchange: the file is damaged`)
  }
  if (!areTexts([req, res, text])) throw new BadTraffic(`line ${number} has a body that is not text`)
  return value as TapLine
}

/** Returns the recording of traffic, in time linear in its length. Throws `BadTraffic`. */
export function importTap(text: string, names: ParameterNames): Library {
  const importer = createImporter(names)
  for (const line of linesOf(text)) importer.line(line)
  return importer.library()
}

/** The content of a log whose writer may have stopped at any moment. */
export type TapLog = {
  readonly library: Library
  /** The requests, a batch as one. */
  readonly exchanges: number
  /** End of the last complete exchange, in ms. */
  readonly endsAt: number
  /** Number of characters of the incomplete line at the end. */
  readonly cutOff: number
}

/** Reads a log up to its last complete line. Throws `BadTraffic` for damage before that. */
export function importLog(text: string, names: ParameterNames): TapLog {
  const importer = createImporter(names)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  let lines = 0
  let exchanges = 0
  let endsAt = 0
  for (const line of linesOf(whole)) {
    importer.line(line)
    lines += 1
    const { t = 0, ms = 0, kind = '' } = JSON.parse(line) as Partial<TapLine>
    if (isExchange({ kind })) exchanges += 1
    endsAt = Math.max(endsAt, tenths(t + ms))
  }
  if (lines === 0) throw new BadTraffic('the recording stopped before anything was written')
  return { library: importer.library(), exchanges, endsAt, cutOff: text.length - whole.length }
}

/** Yields the non-empty lines without copying the text. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    if (line !== '') yield line
    if (end < 0) return
    from = end + 1
  }
}

/** Returns the value of a line, counted from 0. Throws `BadTraffic` and `RunGiven`. */
export function parseTraffic(line: string, index: number): unknown {
  const value = jsonIn(line, index)
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : ''
  if (index > 0 || format === 'tap/1') return value
  throw typeof format === 'number' ? new RunGiven() : new BadTraffic('expected format tap/1 in the first line')
}

function jsonIn(line: string, index: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new BadTraffic(`line ${index + 1} is not valid JSON: the file is truncated or damaged`, cause)
  }
}

/** The file is not raw traffic, or is damaged. */
export class BadTraffic extends SimError {
  constructor(what: string, cause?: unknown) {
    super('INVALID_RECORDING', `the traffic cannot be played back: ${what}`, {
      hint: 'Record it again, or use an undamaged copy.',
      cause,
    })
  }
}

/** The file is a recorded run of a scenario. */
class RunGiven extends SimError {
  constructor() {
    super('INVALID_RECORDING', 'expected the recording of a node, received a recorded run of a scenario', {
      hint: 'Replay a run with chainstage replay FILE. Record a node with chainstage record --eth URL.',
    })
  }
}
