/** Writes files atomically: after a crash, either the old or the new file is complete. */
import { constants } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { CannotWrite } from './cannotWrite.ts'
import { systemDisk, writeAll, writeAllNow, type Disk, type DiskFile, type FileStats } from './disk.ts'
import { makeFolder, syncFolder, syncFolderNow, syncNow, unlessMeaningless } from './folders.ts'
import { besidePath, removeLeftovers } from './part.ts'

/**
 * Permissions of new files: only the owner can read them. A replaced file keeps its permissions.
 */
const ownerOnly = 0o600

/** Permissions of files without secrets, which the umask of the process restricts. */
export const readable = 0o666

/**
 * Replaces a file, creating its parent folders; resolves once the content is synced to disk. Throws
 * `CannotWrite`; the old file is then unchanged.
 */
export async function writeFileWhole(path: string, content: string | Uint8Array, disk = systemDisk): Promise<void> {
  await replaceFile(path, (file) => writeAll(file, content), disk)
}

type Write = (file: DiskFile) => void | Promise<void>

/**
 * Like `writeFileWhole`, for content in parts: `write` appends them to a new file. Symbolic links
 * are not followed; a device such as /dev/stdout is written directly.
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

/** Writes a new file. Throws `CannotWrite`; its cause is EEXIST if the file exists. */
export async function writeNewFile(path: string, content: string, disk = systemDisk, mode = ownerOnly): Promise<void> {
  try {
    await createFile(path, content, disk, mode)
    await syncFolder(dirname(path), disk)
  } catch (error) {
    throw isOfSystem(error) ? new CannotWrite(path, error) : error
  }
}

/**
 * Replaces a file synchronously, because a process that exits cannot wait. Throws `CannotWrite`; the
 * old file is then unchanged.
 */
export function writeFileAtExit(path: string, content: string, disk = systemDisk): void {
  const part = besidePath(path, 'part')
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  try {
    const file = disk.now.open(part, O_WRONLY | O_CREAT | O_EXCL, ownerOnly)
    try {
      writeAllNow(file, Buffer.from(content), disk)
      syncNow(disk, file)
    } finally {
      disk.now.close(file)
    }
    disk.now.rename(part, path)
    syncFolderNow(dirname(path), disk)
  } catch (error) {
    disk.now.rm(part, { force: true })
    throw isOfSystem(error) ? new CannotWrite(path, error) : error
  }
}

/** Writes a new file; the caller syncs its folder later. Throws system errors. */
export async function createFile(
  path: string,
  content: string | Write,
  disk = systemDisk,
  mode = ownerOnly,
): Promise<void> {
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  await makeFolder(dirname(path), disk)
  const write: Write = typeof content === 'string' ? (file) => writeAll(file, content) : content
  await writeInto(disk, { path, flags: O_WRONLY | O_CREAT | O_EXCL, mode }, write)
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

type Opening = { readonly path: string; readonly flags: number; readonly mode?: number }

async function writeInto(disk: Disk, { path, flags, mode = ownerOnly }: Opening, write: Write): Promise<void> {
  const file = await disk.open(path, flags, mode)
  try {
    await write(file)
    await file.sync().catch(unlessMeaningless)
  } finally {
    await file.close()
  }
}

/** Returns undefined if the error means that the file does not exist; throws any other error. */
export function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Returns whether a path is a terminal, a pipe, or a link in /dev, such as /dev/stdout. */
export function isDeviceFile(path: string, old: FileStats | undefined): boolean {
  if (old === undefined || old.isFile() || old.isDirectory()) return false
  return !old.isSymbolicLink() || dirname(resolve(path)) === '/dev'
}

/** Returns whether an error comes from the operating system. */
export function isOfSystem(error: unknown): boolean {
  return error instanceof Error && 'code' in error && 'syscall' in error
}
