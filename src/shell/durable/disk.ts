/**
 * The operations on files that keep a chain or a recording. Tests put a disk in memory behind them,
 * which fails on purpose and forgets what was not synced (`test/helpers/memoryDisk.ts`).
 */
import {
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'

/** Each operation rejects with an error of the system, as `node:fs/promises` does. */
export type Disk = {
  readonly open: (path: string, flags: number, mode?: number) => Promise<DiskFile>
  readonly lstat: (path: string) => Promise<FileStats>
  /** Resolves with the topmost folder that was made; undefined where all were there. */
  readonly mkdir: (path: string, options?: { readonly recursive: true }) => Promise<unknown>
  readonly readlink: (path: string) => Promise<string>
  readonly symlink: (target: string, path: string) => Promise<void>
  readonly readdir: (path: string) => Promise<string[]>
  readonly rename: (from: string, to: string) => Promise<void>
  readonly rm: (path: string, options: { readonly force: true; readonly recursive?: true }) => Promise<void>
  /** The same for writers that cannot wait. */
  readonly now: DiskNow
}

/** Each operation throws an error of the system, as `node:fs` does. */
export type DiskNow = {
  readonly open: (path: string, flags: number, mode?: number) => number
  /** Returns how many of the bytes were written. */
  readonly write: (fd: number, bytes: Uint8Array) => number
  readonly sync: (fd: number) => void
  readonly close: (fd: number) => void
  /** Returns undefined where nothing is there. */
  readonly lstat: (path: string) => FileStats | undefined
  readonly mkdir: (path: string, options: { readonly recursive: true }) => string | undefined
  readonly readText: (path: string) => string
  readonly rename: (from: string, to: string) => void
  readonly rm: (path: string, options: { readonly force: true }) => void
  /** Sets the time of the last change. */
  readonly touch: (path: string, at: Date) => void
}

export type FileStats = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'mode' | 'mtimeMs'>

/** An open file. `write` may write fewer bytes than it was given: `writeAll` goes on. */
export type DiskFile = {
  /** For `DiskNow`. */
  readonly fd: number
  readonly read: (
    into: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) => Promise<{ readonly bytesRead: number }>
  readonly write: (bytes: Uint8Array) => Promise<{ readonly bytesWritten: number }>
  readonly sync: () => Promise<void>
  readonly datasync: () => Promise<void>
  readonly truncate: (size: number) => Promise<void>
  readonly stat: () => Promise<{ readonly size: number }>
  readonly chmod: (mode: number) => Promise<void>
  readonly close: () => Promise<void>
}

export const systemDisk: Disk = {
  ...{ open, lstat, mkdir, readlink, symlink, readdir, rename, rm },
  now: {
    open: openSync,
    write: writeSync,
    sync: fsyncSync,
    close: closeSync,
    lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
    mkdir: (path, options) => mkdirSync(path, options),
    readText: (path) => readFileSync(path, 'utf8'),
    rename: renameSync,
    rm: rmSync,
    touch: (path, at) => utimesSync(path, at, at),
  },
}

/**
 * Writes all of the content at the end of what was written so far. On a disk that is almost full
 * the system writes a part, and says why with the next one.
 */
export async function writeAll(file: DiskFile, content: string | Uint8Array): Promise<void> {
  let rest = typeof content === 'string' ? Buffer.from(content) : content
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten)
}

/** The same without waiting. */
export function writeAllNow(fd: number, bytes: Uint8Array, { now } = systemDisk): void {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(now.write(fd, rest))
}

/** Reads a part of a file in chunks; `to` is the byte after its end, or the end of the file. */
export async function* readChunks(
  disk: Disk,
  path: string,
  { from, to = Infinity }: { readonly from: number; readonly to?: number },
): AsyncIterable<Buffer> {
  const file = await disk.open(path, constants.O_RDONLY)
  try {
    for (let at = from; at < to; ) {
      const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - at))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at)
      if (bytesRead === 0) return
      yield chunk.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await file.close()
  }
}

const chunkBytes = 1 << 18
