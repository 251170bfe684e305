/** The files of a recording: their text by path, relative to its folder (`mocks.md` §4.4). */
import { SimError } from '../../errors.ts'
import { sideNames, type Side } from '../../settings/side.ts'

export type RecordingFiles = ReadonlyMap<string, string>

const side = `(${sideNames.join('|')})`
const ofAnswers = new RegExp(`^${side}/[^/]*\\.jsonl$`)
const ofStream = new RegExp(`^streams/${side}\\.[^/]*\\.jsonl$`)
const ofFolder = new RegExp(`^(?:${side}|streams|blobs)(?:/|$)`)
const ofRoot: readonly string[] = ['manifest.json', 'order.jsonl', '.gitattributes']

/** Returns the interface whose answers a file holds; undefined for any other file. */
export function answersSide(path: string): Side | undefined {
  return sideIn(path, ofAnswers)
}

/** Returns the interface whose stream a file holds; undefined for any other file. */
export function streamSide(path: string): Side | undefined {
  return sideIn(path, ofStream)
}

/** Returns whether a recording writes the file or folder at a path. */
export function isRecorded(path: string): boolean {
  return ofRoot.includes(path) || ofFolder.test(path)
}

function sideIn(path: string, pattern: RegExp): Side | undefined {
  const found = pattern.exec(path)?.[1]
  return sideNames.find((one) => one === found)
}

/** Returns the text of a file from its lines. */
export function linesText(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

/** A defect in a recording's files, with its location. */
export class BadRecording extends SimError {
  constructor(where: string, what: string, cause?: unknown) {
    super('INVALID_RECORDING', `${where}: ${what}`, {
      hint: where.endsWith('.json5')
        ? 'Correct this file, or remove it. The recording itself is not changed.'
        : 'Run chainstage recording verify to list all defects. Record it again, or use an undamaged copy.',
      cause,
    })
  }
}
