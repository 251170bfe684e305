/** Diagnostics: problems of scenario files, with position and hint. */
import { SimError } from '../errors.ts'

/** Lines and columns count from 1. `code` is stable (`SC1001`). */
export type Diagnostic = {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly code: string
  readonly message: string
  readonly hint: string | undefined
}

/** Maximum number of diagnostics shown; further ones are usually consequences. */
const shownMost = 20

/**
 * Returns the diagnostics as text: position, code, message, the line with a caret, and the hint.
 */
export function formatDiagnostics(diagnostics: readonly Diagnostic[], files: ReadonlyMap<string, string>): string {
  const shown = sorted(diagnostics)
    .slice(0, shownMost)
    .map((one) => formatOne(one, files))
  const more = diagnostics.length - shown.length
  return [...shown, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n')
}

function sorted(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.toSorted((a, b) =>
    a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
  )
}

function formatOne(one: Diagnostic, files: ReadonlyMap<string, string>): string {
  const line = files.get(one.file)?.split(/\r\n|[\r\n]/)[one.line - 1]
  const number = String(one.line)
  const excerpt =
    line === undefined
      ? []
      : excerptOf(line, one.column).map(
          (text, index) => `  ${index === 0 ? number : ' '.repeat(number.length)} | ${text}`,
        )
  const hint = one.hint === undefined ? [] : [`  hint: ${one.hint}`]
  return [`${one.file}:${one.line}:${one.column}  ${one.code}  ${one.message}`, ...excerpt, ...hint].join('\n')
}

/** Characters of a long line that are shown on each side of a problem. */
const shownBeside = 80

/** Returns the line, or the part around a column, and the caret below it. */
function excerptOf(line: string, column: number): readonly [string, string] {
  if (line.length <= 2 * shownBeside) return [line, `${' '.repeat(column - 1)}^`]
  const from = Math.max(0, column - 1 - shownBeside)
  const to = column - 1 + shownBeside
  const before = from > 0 ? '…' : ''
  const text = `${before}${line.slice(from, to)}${to < line.length ? '…' : ''}`
  return [text, `${' '.repeat(column - 1 - from + before.length)}^`]
}

/** The scenario cannot run; `diagnostics` holds every problem, sorted by file and position. */
export class InvalidScenario extends SimError {
  readonly diagnostics: readonly Diagnostic[]
  /** Texts of the files by path. */
  readonly files: ReadonlyMap<string, string>

  constructor(diagnostics: readonly Diagnostic[], files: ReadonlyMap<string, string>, hint?: string) {
    super('INVALID_SCENARIO', formatDiagnostics(diagnostics, files), hint === undefined ? {} : { hint })
    this.diagnostics = sorted(diagnostics)
    this.files = files
  }
}

/**
 * Returns the problems of a rejected file: all of an invalid scenario, or any other error as one
 * problem at the start of the file.
 */
export function problemsOf(file: string, error: SimError): readonly Diagnostic[] {
  if (error instanceof InvalidScenario) return error.diagnostics
  const { code, message, hint } = error
  return [{ file, line: 1, column: 1, code, message, hint }]
}
