/**
 * Re-executes a recording and compares every output. The caller passes in the function that runs an
 * input, so that this file does not import `simulation.ts`.
 */
import { canonicalJson } from '../data/canonicalJson.ts'
import { SimError } from '../errors.ts'
import type { Input } from '../plan/input.ts'
import type { Output } from '../node/output.ts'
import { parseCanonicalJson } from '../data/parseCanonicalJson.ts'
import {
  type RecordingHeader,
  type RecordingLine,
  digestEvery,
  headerDigest,
  headerMembers,
  recordingFormat,
} from './format.ts'

export type Recording = {
  readonly header: RecordingHeader
  readonly lines: readonly RecordingLine[]
}

/**
 * Runs one input and returns its outputs; `digest` returns the digest of the simulation after it.
 */
export type Player = (input: Input) => {
  readonly outputs: readonly Output[]
  readonly digest: () => string
}

/** The first difference, with both values as canonical text. */
export type Difference = {
  readonly line: number
  readonly seq: number
  readonly what: string
  readonly recorded: string
  readonly replayed: string
}

/** Parses a recording. Throws `InvalidRecording`, which names the file and the invalid line. */
export function parseRecording(text: string, path = 'recording'): Recording {
  const lines = text.split('\n')
  if (lines.at(-1) !== '') throw new InvalidRecording(`${path}:${lines.length}`, 'the last line is truncated')
  const [first = '', ...rest] = lines.slice(0, -1)
  return {
    header: headerIn(first, `${path}:1`),
    lines: rest.map((line, index) => inputLine(line, `${path}:${index + 2}`)),
  }
}

function headerIn(line: string, where: string): RecordingHeader {
  const header = parseLine(line, where) as RecordingHeader | null
  if (header?.format !== 1 && header?.format !== recordingFormat) {
    throw new InvalidRecording(where, `expected format 1 or ${recordingFormat}, received ${String(header?.format)}`)
  }
  const unknown = Object.keys(header).find((name) => !headerMembers.has(name))
  if (unknown !== undefined) {
    throw new InvalidRecording(where, `unexpected header member ${JSON.stringify(unknown)}: the header is damaged`)
  }
  if (header.digest !== undefined && header.digest !== headerDigest(header)) {
    throw new InvalidRecording(where, 'the digest does not match: the header was changed after recording')
  }
  const { files, settings } = header as Partial<RecordingHeader>
  if (files === undefined || settings === undefined) throw new InvalidRecording(where, 'the header is not whole')
  return header
}

function inputLine(text: string, where: string): RecordingLine {
  const line = parseLine(text, where) as RecordingLine | null
  if (typeof line?.input?.seq === 'number' && Array.isArray(line.outputs)) return line
  throw new InvalidRecording(where, 'expected an input with its outputs')
}

/**
 * Returns a sentence that explains why a recording in an earlier format may differ without an
 * error; undefined for the current format.
 */
export function earlierFormatNote({ header: { format, version } }: Recording): string | undefined {
  if (format === recordingFormat) return undefined
  return (
    `chainstage ${version} wrote this recording in format ${format}, which mined all blocks of a request at once. ` +
    'Requests for more than five blocks are now mined in parts, so their lines differ. Record it again.'
  )
}

function parseLine(line: string, where: string): unknown {
  try {
    return parseCanonicalJson(line)
  } catch (cause) {
    throw new InvalidRecording(where, 'expected a line of a recorded run, in canonical JSON', cause)
  }
}

/**
 * Replays every line and returns the first difference, or undefined if all outputs and digests
 * match.
 */
export function replay(recording: Recording, play: Player): Difference | undefined {
  for (const [index, line] of recording.lines.entries()) {
    const { outputs, digest } = play(line.input)
    const found = differenceOf(line, outputs, digest)
    if (found !== undefined) return { line: index + 2, seq: line.input.seq, ...found }
  }
  return undefined
}

type Found = Pick<Difference, 'what' | 'recorded' | 'replayed'>

function differenceOf(line: RecordingLine, outputs: readonly Output[], digest: () => string): Found | undefined {
  const count = Math.max(line.outputs.length, outputs.length)
  for (let index = 0; index < count; index++) {
    const [recorded, replayed] = [outputText(line.outputs[index]), outputText(outputs[index])]
    if (recorded !== replayed) return { what: `output ${index + 1}`, recorded, replayed }
  }
  if (line.input.seq % digestEvery !== 0) return undefined
  const [recorded, replayed] = [line.digest ?? 'none', digest()]
  return recorded === replayed ? undefined : { what: 'the digest of the simulation', recorded, replayed }
}

function outputText(output: Output | undefined): string {
  return output === undefined ? 'nothing' : canonicalJson(output)
}

export class InvalidRecording extends SimError {
  constructor(where: string, what: string, cause?: unknown) {
    super('INVALID_RECORDING', `${where}: ${what}`, {
      hint: 'Record it again, or use an undamaged copy.',
      cause,
    })
  }
}
