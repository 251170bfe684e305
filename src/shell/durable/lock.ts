/**
 * Locks a file or folder NAME against a second writer. While a process writes, the file
 * `.NAME.lock` beside it names its owner: `{"pid":…,"host":…,"token":…}`. A lock whose process has
 * ended is taken over. Processes on other hosts cannot be checked, so their locks are valid until
 * untouched for a minute.
 */
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { SimError } from '../../errors.ts'
import { CannotWrite } from './cannotWrite.ts'
import { systemDisk, writeAllNow, type Disk, type FileStats } from './disk.ts'
import { makeFolderNow } from './folders.ts'
import { besidePath, isRunning, youngMs } from './part.ts'

export type Lock = { readonly release: () => void }

type Owner = { readonly pid: number; readonly host: string; readonly token: string }

const touchedEveryMs = youngMs / 4

/** Locks that this process holds, by token. */
const held = new Map<string, { readonly file: string; readonly disk: Disk }>()

/**
 * Locks a path, creating its parent folders, until `release` or the end of the process. Throws
 * `InUse` if another writer, even in this process, holds a lock, and `CannotWrite`.
 */
export function lockPath(path: string, disk = systemDisk): Lock {
  const file = lockFileOf(path)
  const token = randomBytes(8).toString('hex')
  const owner: Owner = { pid: process.pid, host: hostname(), token }
  try {
    makeFolderNow(dirname(file), disk)
    while (!isCreated(disk, file, JSON.stringify(owner))) takeAside(disk, path, file)
  } catch (error) {
    throw error instanceof SimError ? error : new CannotWrite(path, error)
  }
  if (held.size === 0) process.once('exit', releaseAll)
  held.set(token, { file, disk })
  const touching = setInterval(() => {
    touch(disk, file)
  }, touchedEveryMs).unref()
  return {
    release: () => {
      clearInterval(touching)
      release(token)
    },
  }
}

function lockFileOf(path: string): string {
  const full = resolve(path)
  return join(dirname(full), `.${basename(full)}.lock`)
}

function isCreated(disk: Disk, file: string, text: string): boolean {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  try {
    writeOwner(disk, { file, fd: disk.now.open(file, O_WRONLY | O_CREAT | O_EXCL, 0o600) }, text)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Writes the owner, or removes the lock: one without an owner would block writers for a minute. */
function writeOwner(disk: Disk, { file, fd }: { readonly file: string; readonly fd: number }, text: string): void {
  try {
    writeAllNow(fd, Buffer.from(text), disk)
  } catch (error) {
    disk.now.rm(file, { force: true })
    throw error
  } finally {
    disk.now.close(fd)
  }
}

/**
 * Removes a lock whose process has ended. The lock is renamed first, so that only one of two
 * processes gets it. If the renamed file is not the lock that was read, it is put back.
 */
function takeAside(disk: Disk, path: string, file: string): void {
  const text = lockText(disk, path, file)
  if (text === undefined) return
  const owner = ownerIn(text)
  if (isAlive(disk, file, owner)) throw new InUse(path, owner, file)
  const aside = besidePath(path, 'part')
  try {
    disk.now.rename(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (textOf(disk, aside) === text) disk.now.rm(aside, { force: true })
  else disk.now.rename(aside, file)
}

/**
 * Returns whether a lock is in use. An empty lock belongs to a process about to write its owner, or
 * killed before it could.
 */
function isAlive(disk: Disk, file: string, owner: Owner | undefined): boolean {
  if (owner === undefined || owner.host !== hostname()) return isYoung(disk, file)
  // In a container, this process may have the id of an earlier one that was killed.
  return owner.pid === process.pid ? held.has(owner.token) : isRunning(owner.pid)
}

function isYoung({ now }: Disk, file: string): boolean {
  const { mtimeMs } = now.lstat(file) ?? { mtimeMs: 0 }
  return Date.now() - mtimeMs < youngMs
}

/** Returns the text of a lock, or undefined if it is gone. Throws `CannotWrite` if it is not a readable file. */
function lockText(disk: Disk, path: string, file: string): string | undefined {
  const hint = `It locks ${path}. If no process writes there, remove it.`
  try {
    const stats = disk.now.lstat(file)
    if (stats?.isFile() === false) throw Object.assign(new Error('it is not a file'), { code: codeOf(stats) })
    return stats === undefined ? undefined : textOf(disk, file)
  } catch (error) {
    throw new CannotWrite(file, error, hint)
  }
}

function codeOf(stats: FileStats): string | undefined {
  if (stats.isDirectory()) return 'EISDIR'
  return stats.isSymbolicLink() ? 'ELOOP' : undefined
}

function textOf({ now }: Disk, file: string): string | undefined {
  try {
    return now.readText(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function ownerIn(text: string): Owner | undefined {
  try {
    const { pid, host, token } = JSON.parse(text) as Partial<Owner>
    return typeof pid === 'number' && typeof host === 'string' && typeof token === 'string'
      ? { pid, host, token }
      : undefined
  } catch {
    return undefined
  }
}

function touch({ now }: Disk, file: string): void {
  try {
    now.touch(file, new Date())
  } catch {
    // The lock was removed manually.
  }
}

function release(token: string): void {
  const { file, disk } = held.get(token) ?? {}
  if (file === undefined || disk === undefined) return
  held.delete(token)
  if (held.size === 0) process.off('exit', releaseAll)
  if (ownerIn(textOf(disk, file) ?? '')?.token === token) disk.now.rm(file, { force: true })
}

/**
 * Releases all locks at exit. One that cannot be removed is taken over later, as its process has
 * ended.
 */
function releaseAll(): void {
  for (const token of [...held.keys()]) {
    try {
      release(token)
    } catch {
      // The process is exiting, so the error cannot be reported.
    }
  }
}

/** Another process, or another part of this one, is writing to the path. Exit code 7. */
export class InUse extends SimError {
  constructor(path: string, owner: Owner | undefined, file: string) {
    const { pid, host } = owner ?? {}
    const where = host === undefined || host === hostname() ? '' : ` on ${host}`
    const who = pid === undefined ? 'another process' : `process ${pid}${where}`
    super('IN_USE', `cannot write ${path}: ${who} writes there`, {
      hint: `Wait until it has ended, or choose another path. If it does not run, remove ${file}.`,
    })
  }
}
