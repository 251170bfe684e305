/** Creates and syncs folders. A file survives a power failure only if its folder is synced. */
import { constants } from 'node:fs'
import { foldersWithNewEntries } from '../paths.ts'
import { systemDisk, type Disk } from './disk.ts'

/** Creates a folder and its missing parents; resolves once they are synced to disk. */
export async function makeFolder(folder: string, disk = systemDisk): Promise<void> {
  const topmost = await disk.mkdir(folder, { recursive: true })
  for (const holder of changedBy(folder, topmost)) await syncFolder(holder, disk)
}

/** Synchronous version of `makeFolder`. */
export function makeFolderNow(folder: string, disk: Disk): void {
  const topmost = disk.now.mkdir(folder, { recursive: true })
  for (const holder of changedBy(folder, topmost)) syncFolderNow(holder, disk)
}

/** Returns the folders that gained an entry; none if `mkdir` returns no new folder. */
function changedBy(folder: string, topmost: unknown): readonly string[] {
  return typeof topmost === 'string' ? foldersWithNewEntries(folder, topmost) : []
}

/** Syncs the entries of a folder to disk. */
export async function syncFolder(folder: string, disk = systemDisk): Promise<void> {
  const file = await disk.open(folder, constants.O_RDONLY).catch(unlessMeaningless)
  if (file === undefined) return
  try {
    await file.sync().catch(unlessMeaningless)
  } finally {
    await file.close()
  }
}

/** Synchronous version of `syncFolder`. */
export function syncFolderNow(folder: string, disk: Disk): void {
  let file: number
  try {
    file = disk.now.open(folder, constants.O_RDONLY)
  } catch (error) {
    return unlessMeaningless(error as NodeJS.ErrnoException)
  }
  try {
    syncNow(disk, file)
  } finally {
    disk.now.close(file)
  }
}

/** Syncs a file to disk; ignores files and systems that do not support it. */
export function syncNow({ now }: Disk, file: number): void {
  try {
    now.sync(file)
  } catch (error) {
    unlessMeaningless(error as NodeJS.ErrnoException)
  }
}

/** Ignores errors of syncing a device, or a folder on Windows; throws any other error. */
export function unlessMeaningless(error: NodeJS.ErrnoException): undefined {
  const known = ['EINVAL', 'ENOTSUP', 'EROFS', 'EISDIR', 'EPERM', 'EACCES']
  if (!known.includes(error.code ?? '')) throw error
}
