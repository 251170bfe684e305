/** The files of a recording: their text by path, relative to its folder (`mocks.md` §4.4). */
import { SimError } from '../../errors.ts'

export type Files = ReadonlyMap<string, string>

/** Returns the text of a file from its lines. */
export function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** A defect in a recording's files, with its location. */
export class BadRecording extends SimError {
  constructor(where: string, what: string, cause?: unknown) {
    super('INVALID_RECORDING', `${where}: ${what}`, {
      hint: 'Run chainstage recording verify to list all defects. Record it again, or use an undamaged copy.',
      cause,
    })
  }
}
