/** Raw traffic of a proxy, one exchange a line, as what a recording knows. */
import { SimError } from '../../errors.ts'
import type { Names } from './callKey.ts'
import { emptyDraft } from './draft.ts'
import type { Library } from './library.ts'
import { libraryOf } from './libraryOf.ts'
import { takeLine } from './takeLine.ts'
import type { TapLine } from './tapLine.ts'
import { tenths } from './headTimes.ts'

/** Reads traffic line by line; `library` is what it tells up to there. */
export type Importer = {
  /** Takes the next line; the first says the format. Throws `BadTraffic`. */
  readonly line: (text: string) => void
  readonly library: () => Library
}

/** Returns a reader before its first line; `names` are those of positional parameters. */
export function createImporter(names: Names): Importer {
  const draft = emptyDraft(names)
  let count = 0
  let startsAt = Infinity
  return {
    line: (text) => {
      const value = parseLine(text, count)
      count += 1
      if (count === 1) return
      const line = value as TapLine
      startsAt = Math.min(startsAt, line.t)
      try {
        takeLine(draft, line)
      } catch (error) {
        // A call that cannot be read has no key, and a playback refuses it as the node did.
        if (!(error instanceof SyntaxError || error instanceof URIError)) throw error
      }
    },
    library: () => libraryOf({ ...draft, startsAt: Number.isFinite(startsAt) ? startsAt : 0 }),
  }
}

/** Returns what traffic tells, in time linear in its length. Throws `BadTraffic`. */
export function importTap(text: string, names: Names): Library {
  const importer = createImporter(names)
  for (const line of linesOf(text)) importer.line(line)
  return importer.library()
}

/** What a log says whose writer may have been stopped at any moment. */
export type Log = {
  readonly library: Library
  readonly exchanges: number
  /** When the last whole exchange ended, in ms. */
  readonly endsAt: number
  /** How many bytes at the end are no whole line. */
  readonly cutOff: number
}

/**
 * Returns what stands in a log up to its last whole line. Throws `BadTraffic` for damage before
 * that.
 */
export function importLog(text: string, names: Names): Log {
  const importer = createImporter(names)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  let exchanges = -1
  let endsAt = 0
  for (const line of linesOf(whole)) {
    importer.line(line)
    exchanges += 1
    const { t = 0, ms = 0 } = JSON.parse(line) as Partial<TapLine>
    endsAt = Math.max(endsAt, tenths(t + ms))
  }
  if (exchanges < 0) throw new BadTraffic('nothing was written before it was stopped')
  return { library: importer.library(), exchanges, endsAt, cutOff: text.length - whole.length }
}

/** Yields the lines that are not empty, without copying the text. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    if (line !== '') yield line
    if (end < 0) return
    from = end + 1
  }
}

function parseLine(line: string, index: number): unknown {
  try {
    const value: unknown = JSON.parse(line)
    const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : ''
    if (index > 0 || format === 'tap/1') return value
  } catch (cause) {
    throw new BadTraffic(`line ${index + 1} is no JSON: the file is cut off or damaged`, cause)
  }
  throw new BadTraffic('the first line does not say format tap/1')
}

/** A file that is no raw traffic, or was damaged. */
export class BadTraffic extends SimError {
  constructor(what: string, cause?: unknown) {
    super('INVALID_RECORDING', `the traffic cannot be played back: ${what}`, {
      hint: 'Record it again, or take an undamaged copy.',
      cause,
    })
  }
}
