/** Examines a log file when it is opened, whatever ended the process that wrote it. */
import { SimError } from '../../errors.ts'
import { cannotKeep } from '../durable/cannotWrite.ts'
import type { Disk } from '../durable/disk.ts'
import { isOfSystem } from '../durable/writeFile.ts'
import { readLogLine, type LogLine } from './logLine.ts'
import { type Line, readLines } from './readLines.ts'

/** The sound part of a log: the entries that follow a snapshot. */
export type Examined = {
  /** The number of the last entry that the snapshot contains. */
  readonly base: number
  /** The end of that entry's line. */
  readonly from: number
  /** The ends of the lines of the entries after it, oldest first. */
  readonly ends: readonly number[]
  /** The end of the last sound line. A crash damaged whatever follows. */
  readonly to: number
}

/** The format of new logs, written after the digest of the snapshot. */
export const logFormat = 1

/**
 * A sequence of entries. `base` is the entry before the first in `ends`, and its line ends at
 * `from`.
 */
type Run = Pick<Examined, 'base' | 'from' | 'ends'>

/**
 * Resolves with the log's entries after the snapshot that has the digest. A damaged line ends the
 * log if nothing after it was acknowledged; otherwise `BrokenLog` is thrown. Throws `ForeignLog` if
 * the log does not follow the snapshot.
 */
export async function examineLog(disk: Disk, path: string, digest: string): Promise<Examined> {
  let run: (Run & { readonly ends: number[] }) | undefined
  let found: number | undefined
  let to = 0
  let acknowledged = 0
  let damagedAt: number | undefined
  for await (const { text, from, to: end } of linesOf(disk, path)) {
    const line = readLogLine(text)
    acknowledged = Math.max(acknowledged, (line ?? lineWithin(text))?.acknowledged ?? 0)
    if (damagedAt !== undefined || line === undefined || !follows(line, run, digest)) {
      damagedAt ??= from
      continue
    }
    to = end
    if (line.kind === 'input') run?.ends.push(end)
    else if (run === undefined || line.kind === 'replaced') run = { base: line.sequence, from: end, ends: [] }
    if (line.kind !== 'input' && digestOf(line) === digest) found = line.sequence
  }
  const last = run === undefined ? -1 : run.base + run.ends.length
  if (run === undefined || acknowledged > last) throw new BrokenLog(path, { at: damagedAt ?? to, last })
  if (found === undefined || found < run.base) throw new ForeignLog(path)
  return { ...after(run, found), to }
}

/** Yields the lines of a log. Throws `CannotWrite`. */
async function* linesOf(disk: Disk, path: string): AsyncIterable<Line> {
  try {
    yield* readLines(disk, path)
  } catch (error) {
    throw isOfSystem(error) ? cannotKeep(path, error) : error
  }
}

/** Returns the sound line at the end of a damaged one, if the newline between them is damaged. */
function lineWithin(text: string): LogLine | undefined {
  for (const { index } of text.matchAll(/[0-9a-f]{8} (?:input|snapshot|replaced) /g)) {
    const line = readLogLine(text.slice(index))
    if (line !== undefined) return line
  }
  return undefined
}

/** Returns whether a line may follow the entries of a run. */
function follows(line: LogLine, run: Run | undefined, digest: string): boolean {
  const { kind, sequence, text } = line
  if (run === undefined) return kind === 'snapshot' && text.split(' ')[1] === String(logFormat)
  const last = run.base + run.ends.length
  if (kind === 'input') return sequence === last + 1
  // A replacement takes effect only once its snapshot is written.
  if (kind === 'replaced') return sequence === last + 1 && digestOf(line) === digest
  return sequence >= run.base && sequence <= last
}

function digestOf({ text }: LogLine): string | undefined {
  return text.split(' ')[0]
}

/** Returns the run without the entries up to and including a number. */
function after({ base, from, ends }: Run, sequence: number): Run {
  const count = sequence - base
  return { base: sequence, from: count === 0 ? from : (ends[count - 1] ?? from), ends: ends.slice(count) }
}

/**
 * The log is damaged before an acknowledged entry. To continue would lose data that clients rely
 * on.
 */
export class BrokenLog extends SimError {
  constructor(path: string, { at, last }: { readonly at: number; readonly last: number }) {
    const upTo = last < 0 ? 'before its first entry' : `after entry ${last}`
    super('BROKEN_LOG', `${path}: the line at byte ${at}, ${upTo}, is damaged, and later entries were acknowledged`, {
      hint:
        last < 0
          ? 'Restore a copy of the file. Without one, remove it: the chain continues from the state file beside it.'
          : `Restore a copy of the file. Without one, cut it with "truncate -s ${at} ${path}": ` +
            `the chain continues from entry ${last} and loses the later entries.`,
    })
  }
}

/** A folder, a symbolic link or a device has the name of the log. */
export class NoLogFile extends SimError {
  constructor(path: string) {
    super('BROKEN_LOG', `${path}: expected a file, found a folder, a symbolic link or a device`, {
      hint: 'Restore the file. Without a copy, remove what is there: the chain continues from the state file beside it.',
    })
  }
}

/** The log does not belong to the state file beside it. */
export class ForeignLog extends SimError {
  constructor(path: string) {
    super('FOREIGN_LOG', `${path}: this log does not belong to the state file beside it`, {
      hint: 'Restore the state file of this log, or remove the log to continue from the state file alone.',
    })
  }
}
