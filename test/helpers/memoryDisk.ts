/**
 * A disk in memory that keeps what POSIX promises and no more. The content of a file survives a
 * power failure when the file was synced, its name when the folder was. Of everything else a seed
 * decides how much survives: changes of one file or folder are lost from the newest one on, and the
 * last write of a file may be torn.
 */
import { constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Disk, DiskFile } from '../../src/shell/durable/disk.ts'
import {
  changed,
  disown,
  filesBelow,
  filesIn,
  inodeOf,
  kept,
  statsOf,
  survivor,
  withPart,
  type Inode,
} from './memoryInodes.ts'
import type { Draw } from './randomTx.ts'

/** What goes wrong, by chance: one in so many operations; 0 for never. */
export type DiskFaults = {
  readonly shortWrites: number
  readonly failedSyncs: number
  /** The bytes that fit on the disk. */
  readonly capacity: number
  /** The power fails before this operation. */
  readonly crashAt: number
}

export const soundDisk: DiskFaults = { shortWrites: 0, failedSyncs: 0, capacity: Infinity, crashAt: Infinity }

export type MemoryDisk = Disk & {
  /** How many operations there were. */
  readonly operations: () => number
  /** Fails or recovers from now on. */
  readonly fail: (faults: Partial<DiskFaults>) => void
  /** The power fails: operations that were not done never end, and later ones neither. */
  readonly crash: () => void
  readonly hasCrashed: () => boolean
  /** Resolves when the power has failed. */
  readonly crashed: Promise<void>
  /** Returns the disk after the power is back, with another process. */
  readonly afterCrash: () => MemoryDisk
  /** Returns the disk as another process finds it after this one was killed: nothing is lost yet. */
  readonly afterKill: () => MemoryDisk
  /** How many files are open. */
  readonly handles: () => number
  /** Paths of all files. */
  readonly paths: () => readonly string[]
  /** Texts of all files, by path. */
  readonly files: () => Readonly<Record<string, string>>
}

/** Thrown where a writer cannot wait: its process has ended with the power. */
export class PowerFailed extends Error {}

function failure(code: string, syscall: string, path = ''): Error {
  return Object.assign(new Error(`${code}: ${syscall} ${path}`), { code, syscall })
}

/** Returns an empty disk. `draw` decides what fails, and what survives. */
export function createMemoryDisk(draw: Draw, faults: Partial<DiskFaults> = {}): MemoryDisk {
  return diskOf(inodeOf('folder'), draw, { ...soundDisk, ...faults })
}

function diskOf(root: Inode, draw: Draw, first: DiskFaults): MemoryDisk {
  let faults = first
  let operations = 0
  let isOut = false
  let tellCrashed: () => void = () => {}
  const crashed = new Promise<void>((done) => {
    tellCrashed = done
  })
  const crash = () => {
    isOut = true
    tellCrashed()
  }
  const happens = (oneIn: number) => oneIn > 0 && draw(oneIn) === 0

  /** Every operation passes here: none happens after the power has failed. */
  function step<Value>(work: () => Value): Value {
    if (!isOut && ++operations >= faults.crashAt) crash()
    if (isOut) throw new PowerFailed()
    return work()
  }

  const calls = createCalls(root, { happens, draw, faults: () => faults })
  const later =
    <Args extends readonly unknown[], Value>(call: (...args: Args) => Value) =>
    async (...args: Args): Promise<Value> => {
      await new Promise((go) => {
        setImmediate(go)
      })
      try {
        return step(() => call(...args))
      } catch (error) {
        return error instanceof PowerFailed ? new Promise<never>(() => {}) : Promise.reject(error)
      }
    }
  const atOnce =
    <Args extends readonly unknown[], Value>(call: (...args: Args) => Value) =>
    (...args: Args): Value =>
      step(() => call(...args))

  const fileOf = (handle: Handle): DiskFile => ({
    fd: handle.fd,
    read: later((into: Uint8Array, offset: number, length: number, position: number) => ({
      bytesRead: calls.read(handle.fd, into.subarray(offset, offset + length), position),
    })),
    write: later((bytes: Uint8Array) => ({ bytesWritten: calls.write(handle.fd, bytes) })),
    sync: later(() => calls.sync(handle.fd)),
    datasync: later(() => calls.sync(handle.fd)),
    truncate: later((size: number) => {
      handle.inode.content = changed(handle.inode.content, (content) => content.subarray(0, size))
    }),
    stat: later(() => ({ size: handle.inode.content.now.length })),
    chmod: later((mode: number) => {
      handle.inode.mode = mode
    }),
    close: later(() => calls.close(handle.fd)),
  })

  return {
    open: later((path: string, flags: number, mode?: number) => fileOf(calls.handle(calls.open(path, flags, mode)))),
    lstat: later((path: string) => statsOf(calls.find(path, 'lstat'))),
    mkdir: later((path: string, options?: { readonly recursive: true }) => calls.mkdir(path, options?.recursive)),
    readdir: later((path: string) => [...calls.find(path, 'scandir').entries.now.keys()].toSorted()),
    readlink: later((path: string) => String(calls.find(path, 'readlink').content.now)),
    symlink: later((target: string, path: string) => {
      const link = { ...inodeOf('link'), content: kept<Buffer>(Buffer.from(target)) }
      calls.put(path, link)
    }),
    rename: later(calls.rename),
    rm: later((path: string) => calls.rm(path)),
    now: {
      open: atOnce(calls.open),
      write: atOnce(calls.write),
      read: atOnce(calls.read),
      size: atOnce((fd: number) => calls.handle(fd).inode.content.now.length),
      sync: atOnce(calls.sync),
      close: atOnce(calls.close),
      lstat: atOnce((path: string) => {
        const found = calls.look(path)
        return found && statsOf(found)
      }),
      mkdir: atOnce((path: string) => calls.mkdir(path, true)),
      readText: atOnce((path: string) => String(calls.find(path, 'open').content.now)),
      rename: atOnce(calls.rename),
      rm: atOnce((path: string) => calls.rm(path)),
      touch: atOnce((path: string, at: Date) => {
        calls.find(path, 'utimes').mtimeMs = Number(at)
      }),
    },
    operations: () => operations,
    fail: (more) => {
      faults = { ...faults, ...more }
    },
    crash,
    hasCrashed: () => isOut,
    crashed,
    afterCrash: () => {
      crash()
      return diskOf(survivor(root, draw), draw, soundDisk)
    },
    afterKill: () => {
      crash()
      disown(root)
      return diskOf(root, draw, soundDisk)
    },
    handles: calls.handles,
    paths: () => [...filesIn(root, '')].map(([path]) => path),
    files: () => Object.fromEntries(filesBelow(root, '')),
  }
}

type Handle = { readonly fd: number; readonly inode: Inode; readonly appends: boolean; at: number }
type Chance = {
  readonly happens: (oneIn: number) => boolean
  readonly draw: Draw
  readonly faults: () => DiskFaults
}

/** The calls of a system, without waiting. */
function createCalls(root: Inode, { happens, draw, faults }: Chance) {
  const handles = new Map<number, Handle>()
  let fds = 2

  function look(path: string): Inode | undefined {
    let inode: Inode | undefined = root
    for (const name of path.split('/').filter((one) => one !== '')) inode = inode?.entries.now.get(name)
    return inode
  }
  function find(path: string, syscall: string): Inode {
    const inode = look(path)
    if (inode === undefined) throw failure('ENOENT', syscall, path)
    return inode
  }
  function change(path: string, how: (entries: Map<string, Inode>, name: string) => void): void {
    const folder = find(dirname(path), 'open')
    folder.entries = changed(folder.entries, (before) => {
      const entries = new Map(before)
      how(entries, basename(path))
      return entries
    })
  }
  const put = (path: string, inode: Inode) => change(path, (entries, name) => entries.set(name, inode))
  const handle = (fd: number): Handle => {
    const found = handles.get(fd)
    if (found === undefined) throw failure('EBADF', 'write')
    return found
  }
  const used = () => [...filesIn(root, '')].reduce((sum, [, { content }]) => sum + content.now.length, 0)

  return {
    look,
    find,
    put,
    handle,
    handles: () => handles.size,
    open: (path: string, flags: number, mode = 0o666): number => {
      const old = look(path)
      const has = (flag: number) => (flags & flag) !== 0
      if (old === undefined && !has(constants.O_CREAT)) throw failure('ENOENT', 'open', path)
      if (old !== undefined && has(constants.O_EXCL)) throw failure('EEXIST', 'open', path)
      if (old?.kind === 'link') throw failure('ELOOP', 'open', path)
      if (old?.kind === 'folder' && has(constants.O_WRONLY | constants.O_RDWR)) throw failure('EISDIR', 'open', path)
      const inode = old ?? inodeOf('file', mode)
      if (old === undefined) put(path, inode)
      if (has(constants.O_TRUNC)) inode.content = changed(inode.content, () => Buffer.alloc(0))
      handles.set(++fds, { fd: fds, inode, appends: has(constants.O_APPEND), at: 0 })
      return fds
    },
    write: (fd: number, bytes: Uint8Array): number => {
      const file = handle(fd)
      const { capacity } = faults()
      const room = capacity === Infinity ? bytes.length : Math.min(bytes.length, capacity - used())
      if (room <= 0 && bytes.length > 0) throw failure('ENOSPC', 'write')
      const length = happens(faults().shortWrites) ? 1 + draw(room) : room
      const at = file.appends ? file.inode.content.now.length : file.at
      const part = Buffer.from(bytes.subarray(0, length))
      file.at = at + length
      file.inode.content = changed(file.inode.content, (before) => withPart(before, at, part))
      file.inode.mtimeMs = Date.now()
      return length
    },
    read: (fd: number, into: Uint8Array, position: number): number =>
      handle(fd).inode.content.now.copy(into, 0, position, position + into.length),
    sync: (fd: number): void => {
      const { inode } = handle(fd)
      if (happens(faults().failedSyncs)) {
        inode.isForgotten = true
        throw failure('EIO', 'fsync')
      }
      if (inode.isForgotten) return
      if (inode.kind === 'folder') inode.entries = kept(inode.entries.now)
      else inode.content = kept(inode.content.now)
    },
    close: (fd: number): void => {
      handle(fd)
      handles.delete(fd)
    },
    mkdir: (path: string, isRecursive = false): string | undefined => {
      const parts = path.split('/').filter((one) => one !== '')
      const missing = parts
        .map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
        .filter((one) => look(one) === undefined)
      if (!isRecursive && missing.length !== 1) throw failure(missing.length === 0 ? 'EEXIST' : 'ENOENT', 'mkdir', path)
      for (const one of missing) put(one, inodeOf('folder'))
      return missing[0]
    },
    rename: (from: string, to: string): void => {
      const inode = find(from, 'rename')
      if (dirname(from) !== dirname(to)) throw new Error(`this disk renames within one folder: ${from} ${to}`)
      const there = look(to)
      if (there?.kind === 'folder' && there.entries.now.size > 0) throw failure('ENOTEMPTY', 'rename', to)
      change(to, (entries, name) => {
        entries.delete(basename(from))
        entries.set(name, inode)
      })
    },
    rm: (path: string): void => {
      if (look(path) !== undefined) change(path, (entries, name) => entries.delete(name))
    },
  }
}
