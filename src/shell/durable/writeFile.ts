/** Writes files so that a crash leaves the old one or the new one, whole. */
import { constants, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CannotWrite } from './cannotWrite.ts'
import { systemDisk, writeAll, type Disk, type DiskFile, type FileStats } from './disk.ts'
import { makeFolder, syncFolder, unlessMeaningless } from './folders.ts'
import { besidePath, removeLeftovers } from './part.ts'

/** Only the owner reads what we write, unless the owner has said otherwise. */
const ownerOnly = 0o600

/**
 * Replaces a file, with the folders above it: the content is on disk when it resolves. Throws
 * `CannotWrite`; what stood there has not changed then.
 */
export async function writeFileWhole(path: string, content: string | Uint8Array, disk = systemDisk): Promise<void> {
  await replaceFile(path, (file) => writeAll(file, content), disk)
}

type Write = (file: DiskFile) => void | Promise<void>

/**
 * The same for content that comes in parts: `write` appends them to a new file. A symbolic link is
 * not followed. A device, like /dev/stdout, is written to as it is.
 */
export async function replaceFile(path: string, write: Write, disk = systemDisk): Promise<void> {
  try {
    await makeFolder(dirname(path), disk)
    const old = await disk.lstat(path).catch(absent)
    const { O_WRONLY, O_APPEND } = constants
    if (isDeviceFile(path, old)) return await writeInto(disk, { path, flags: O_WRONLY | O_APPEND }, write)
    if (old !== undefined && !old.isFile()) {
      throw Object.assign(new Error(), { syscall: 'open', code: old.isSymbolicLink() ? 'ELOOP' : 'EISDIR' })
    }
    await removeLeftovers(path, disk)
    await replace(disk, { path, old }, write)
  } catch (error) {
    throw isOfSystem(error) ? new CannotWrite(path, error) : error
  }
}

/** Writes a file that was not there. Throws `CannotWrite`, for an older one with cause EEXIST. */
export async function writeNewFile(path: string, content: string): Promise<void> {
  try {
    await createFile(path, content)
    await syncFolder(dirname(path))
  } catch (error) {
    throw isOfSystem(error) ? new CannotWrite(path, error) : error
  }
}

/** Writes a small file while the process exits, when nothing can be awaited any more. */
export function writeFileAtExit(path: string, content: string): void {
  rmSync(path, { force: true })
  writeFileSync(path, content, { flag: 'wx', mode: ownerOnly, flush: true })
}

/** Writes a file that was not there, in a folder that is synced later. Throws what the system says. */
export async function createFile(path: string, content: string | Write, disk = systemDisk): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  await makeFolder(dirname(path), disk)
  const write: Write = typeof content === 'string' ? (file) => writeAll(file, content) : content
  await writeInto(disk, { path, flags: O_WRONLY | O_CREAT | O_EXCL }, write)
}

type Replaced = { readonly path: string; readonly old: FileStats | undefined }

async function replace(disk: Disk, { path, old }: Replaced, write: Write): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  const part = besidePath(path, 'part')
  try {
    await writeInto(disk, { path: part, flags: O_WRONLY | O_CREAT | O_EXCL }, async (file) => {
      if (old !== undefined) await file.chmod(old.mode & 0o777)
      await write(file)
    })
    await disk.rename(part, path)
  } catch (error) {
    await disk.rm(part, { force: true })
    throw error
  }
  await syncFolder(dirname(path), disk)
}

type Opening = { readonly path: string; readonly flags: number }

async function writeInto(disk: Disk, { path, flags }: Opening, write: Write): Promise<void> {
  const file = await disk.open(path, flags, ownerOnly)
  try {
    await write(file)
    await file.sync().catch(unlessMeaningless)
  } finally {
    await file.close()
  }
}

/** Answers undefined to an error that says there is no such file. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Returns whether a path is that of a terminal, a pipe, or /dev/stdout, which is a link to whatever stdout is. */
export function isDeviceFile(path: string, old: FileStats | undefined): boolean {
  if (old === undefined || old.isFile() || old.isDirectory()) return false
  return !old.isSymbolicLink() || dirname(resolve(path)) === '/dev'
}

/** Returns whether an error is of the operating system, and not of a program. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
