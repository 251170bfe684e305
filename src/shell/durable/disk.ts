/**
 * File operations for chains and recordings. Tests substitute a disk in memory that fails on
 * purpose and forgets unsynced data (`test/helpers/memoryDisk.ts`).
 */
import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncate,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { lstat, mkdir, open, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { patient, type Rename } from './patientRename.ts'

/** Asynchronous operations. Each rejects with a system error, as `node:fs/promises` does. */
export type Disk = {
  readonly open: (path: string, flags: number, mode?: number) => Promise<DiskFile>
  readonly lstat: (path: string) => Promise<FileStats>
  /** Resolves with the topmost folder created; undefined if all folders existed. */
  readonly mkdir: (path: string, options?: { readonly recursive: true }) => Promise<unknown>
  readonly readlink: (path: string) => Promise<string>
  readonly symlink: (target: string, path: string) => Promise<void>
  readonly readdir: (path: string) => Promise<string[]>
  readonly rename: Rename
  readonly rm: (path: string, options: { readonly force: true; readonly recursive?: true }) => Promise<void>
  /** Synchronous operations. */
  readonly now: DiskNow
}

/** Synchronous operations. Each throws a system error, as `node:fs` does. */
export type DiskNow = {
  readonly open: (path: string, flags: number, mode?: number) => number
  /** Returns the number of bytes written. */
  readonly write: (fd: number, bytes: Uint8Array) => number
  /** Returns the number of bytes read, 0 at the end of the file. */
  readonly read: (fd: number, into: Uint8Array, position: number) => number
  /** Returns the size of an open file in bytes. */
  readonly size: (fd: number) => number
  readonly sync: (fd: number) => void
  readonly close: (fd: number) => void
  /** Returns undefined if the path does not exist. */
  readonly lstat: (path: string) => FileStats | undefined
  readonly mkdir: (path: string, options: { readonly recursive: true }) => string | undefined
  readonly readText: (path: string) => string
  readonly rename: (from: string, to: string) => void
  readonly rm: (path: string, options: { readonly force: true }) => void
  /** Sets the modification time. */
  readonly touch: (path: string, at: Date) => void
}

export type FileStats = Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink' | 'mode' | 'mtimeMs'>

/** An open file. `write` may write only a part of the bytes; `writeAll` writes them all. */
export type DiskFile = {
  /** The file descriptor, for the operations of `DiskNow`. */
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
  ...{ lstat, readlink, symlink, readdir, rm },
  open: openFile,
  rename: process.platform === 'win32' ? patient(rename) : rename,
  mkdir: async (path, options) => {
    const first = options === undefined ? undefined : beginFolders(path)
    const made = await mkdir(path, options)
    return first ?? made
  },
  now: {
    open: openSync,
    write: writeSync,
    read: (fd, into, position) => readSync(fd, into, 0, into.length, position),
    size: (fd) => fstatSync(fd).size,
    sync: fsyncSync,
    close: closeSync,
    lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
    mkdir: (path, options) => {
      const first = beginFolders(path)
      const made = mkdirSync(path, options)
      return first ?? made
    },
    readText: (path) => readFileSync(path, 'utf8'),
    rename: renameSync,
    rm: rmSync,
    touch: (path, at) => utimesSync(path, at, at),
  },
}

const [sync, datasync, truncate] = [promisify(fsync), promisify(fdatasync), promisify(ftruncate)] as const

/** Opens a file. Under Yarn's Plug'n'Play, a `FileHandle` throws at what is called by descriptor here. */
async function openFile(path: string, flags: number, mode?: number): Promise<DiskFile> {
  const file = await open(path, flags, mode)
  const { fd } = file
  return Object.assign(file, {
    sync: () => sync(fd),
    datasync: () => datasync(fd),
    truncate: (size: number) => truncate(fd, size),
  })
}

/**
 * Creates the topmost missing folder and returns it. Where the system answers ENOENT, as in /proc,
 * this throws, whereas Node's recursive mkdir never ends.
 */
function beginFolders(folder: string): string | undefined {
  let missing: string | undefined
  for (let at = resolve(folder); !existsSync(at) && at !== missing; at = dirname(at)) missing = at
  if (missing === undefined) return undefined
  try {
    mkdirSync(missing)
    return missing
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined
    throw error
  }
}

/**
 * Writes all of the content at the current position. On an almost full disk, the system writes a
 * part and reports the error with the next write.
 */
export async function writeAll(file: DiskFile, content: string | Uint8Array): Promise<void> {
  let rest = typeof content === 'string' ? Buffer.from(content) : content
  while (rest.length > 0) rest = rest.subarray((await file.write(rest)).bytesWritten)
}

/** Synchronous version of `writeAll`. */
export function writeAllNow(fd: number, bytes: Uint8Array, { now } = systemDisk): void {
  for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(now.write(fd, rest))
}

/** Reads a part of a file in chunks. `to` is exclusive and defaults to the end of the file. */
export async function* readChunks(
  disk: Disk,
  path: string,
  { from, to = Infinity }: { readonly from: number; readonly to?: number },
): AsyncIterable<Buffer> {
  // A named pipe without a writer would never open. Windows has no such flag.
  const file = await disk.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
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
