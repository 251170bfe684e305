import { constants } from 'node:fs'
import { dirname } from 'node:path'
import { cannotKeep } from '../durable/cannotWrite.ts'
import { readChunks, writeAll, type Disk, type DiskFile } from '../durable/disk.ts'
import { syncFolder } from '../durable/folders.ts'
import { isOfSystem, replaceFile } from '../durable/writeFile.ts'
import { packageVersion } from '../packageFiles.ts'
import { logFormat, type Examined } from './examineLog.ts'
import { logLine, type LogLine } from './logLine.ts'

/**
 * When an entry counts as acknowledged. `fsync`: once it is on disk, so that it survives a power
 * failure. `write`: once the operating system has it, so that it survives the end of the process.
 */
export type Durability = 'fsync' | 'write'

/** The durability of entries, and the disk that stores them. */
export type Keep = { readonly durability: Durability; readonly disk: Disk }

/** The file of a log. The caller runs one operation at a time. */
export type LogFile = {
  /** Returns the number of the last acknowledged entry. */
  readonly last: () => number
  /** Resolves when entries are acknowledged. After an error, nothing more may be appended. */
  readonly append: (entries: readonly string[]) => Promise<void>
  /** Logs the digest of a snapshot that is about to be written. */
  readonly announce: (kind: 'snapshot' | 'replaced', sequence: number, digest: string) => Promise<void>
  /**
   * Rewrites the file with a snapshot and the entries after it. After a crash, either the old or
   * the new file exists. Does nothing if the file begins with a later snapshot.
   */
  readonly begin: (sequence: number, digest: string) => Promise<void>
  readonly close: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** `base` is the entry before the first in `ends`, and its line ends at `from`. */
type Standing = Omit<Examined, 'ends'> & { readonly ends: number[] }

/** Returns the line of an entry to append. */
export function entryLine(sequence: number, acknowledged: number, text: string): string {
  return logLine({ kind: 'input', sequence, acknowledged, text })
}

/** Returns a log file that continues after its examined content. A new file needs `begin` first. */
export function createLogFile(path: string, { durability, disk }: Keep, found: Examined | undefined): LogFile {
  let at: Standing = found === undefined ? { base: 0, from: 0, ends: [], to: 0 } : { ...found, ends: [...found.ends] }
  const file = createAppender(path, { durability, disk })
  let isThere = at.to > 0
  const last = () => at.base + at.ends.length

  async function append(entries: readonly string[]): Promise<void> {
    await file.write(entries.join(''))
    for (const line of entries) {
      at = { ...at, to: at.to + Buffer.byteLength(line) }
      at.ends.push(at.to)
    }
  }

  async function announce(kind: LogLine['kind'], sequence: number, digest: string): Promise<void> {
    if (!isThere) return
    const line = snapshotLine(kind, { sequence, acknowledged: last(), digest })
    await file.write(line)
    at = { ...at, to: at.to + line.length }
  }

  async function begin(sequence: number, digest: string): Promise<void> {
    if (isThere && sequence < at.base) return
    const known = Math.min(Math.max(sequence - at.base, 0), at.ends.length)
    const from = known === 0 ? at.from : (at.ends[known - 1] ?? at.from)
    const ends = at.ends.slice(known)
    const line = snapshotLine('snapshot', { sequence, acknowledged: Math.max(last(), sequence), digest })
    await file.close()
    const copy = async (part: DiskFile) => {
      await writeAll(part, line)
      if (ends.length === 0) return
      for await (const chunk of readChunks(disk, path, { from, to: at.to })) await writeAll(part, chunk)
    }
    await replaceFile(path, copy, disk)
    isThere = true
    const moved = line.length - from
    at = {
      base: sequence,
      from: line.length,
      ends: ends.map((end) => end + moved),
      to: ends.length === 0 ? line.length : at.to + moved,
    }
  }

  return {
    last,
    append,
    announce,
    begin,
    close: file.close,
    remove: async () => {
      try {
        await file.close()
        await disk.rm(path, { force: true })
        await syncFolder(dirname(path), disk)
      } catch (error) {
        throw isOfSystem(error) ? cannotKeep(path, error) : error
      }
    },
  }
}

/** Returns a writer that appends to a file and opens it on demand. */
function createAppender(path: string, { durability, disk }: Keep) {
  let file: DiskFile | undefined
  return {
    write: async (text: string): Promise<void> => {
      try {
        file ??= await disk.open(path, constants.O_WRONLY | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0))
        await writeAll(file, text)
        if (durability === 'fsync') await file.datasync()
      } catch (error) {
        throw isOfSystem(error) ? cannotKeep(path, error) : error
      }
    },
    close: async (): Promise<void> => {
      const opened = file
      file = undefined
      await opened?.close()
    },
  }
}

/** Cuts off the torn end of a log; resolves with its length in bytes. Throws `CannotWrite`. */
export async function cutLog(disk: Disk, path: string, { to }: Examined): Promise<number> {
  try {
    const file = await disk.open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
    try {
      const { size } = await file.stat()
      if (size === to) return 0
      await file.truncate(to)
      await file.sync()
      return size - to
    } finally {
      await file.close()
    }
  } catch (error) {
    throw isOfSystem(error) ? cannotKeep(path, error) : error
  }
}

type Named = { readonly sequence: number; readonly acknowledged: number; readonly digest: string }

function snapshotLine(kind: LogLine['kind'], { digest, ...rest }: Named): string {
  return logLine({ kind, ...rest, text: `${digest} ${logFormat} ${packageVersion()}` })
}
