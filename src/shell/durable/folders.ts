/** Folders that are on disk: a file in one is found after a power failure only then. */
import { constants } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { systemDisk, type Disk } from './disk.ts'

/** Makes a folder and those above it. They are on disk when it resolves. */
export async function makeFolder(folder: string, disk = systemDisk): Promise<void> {
  const topmost = await disk.mkdir(folder, { recursive: true })
  for (const holder of holdersOf(folder, topmost)) await syncFolder(holder, disk)
}

/** The same without waiting. */
export function makeFolderNow(folder: string, disk: Disk): void {
  const topmost = disk.now.mkdir(folder, { recursive: true })
  for (const holder of holdersOf(folder, topmost)) syncFolderNow(holder, disk)
}

/** Returns the folders that have got a new one, from the topmost one that was made. */
function holdersOf(folder: string, topmost: unknown): readonly string[] {
  if (typeof topmost !== 'string') return []
  const above = dirname(resolve(topmost))
  const made = relative(above, resolve(folder)).split(sep)
  return made.map((_, index) => join(above, ...made.slice(0, index)))
}

/** Resolves when the names in a folder are on disk. */
export async function syncFolder(folder: string, disk = systemDisk): Promise<void> {
  const file = await disk.open(folder, constants.O_RDONLY).catch(unlessMeaningless)
  if (file === undefined) return
  try {
    await file.sync().catch(unlessMeaningless)
  } finally {
    await file.close()
  }
}

/** The same without waiting. */
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

/** Returns when a file is on disk, where that means anything. */
export function syncNow({ now }: Disk, file: number): void {
  try {
    now.sync(file)
  } catch (error) {
    unlessMeaningless(error as NodeJS.ErrnoException)
  }
}

/** Answers undefined to an error of syncing a device or a folder of Windows, and throws any other. */
export function unlessMeaningless(error: NodeJS.ErrnoException): undefined {
  const known = ['EINVAL', 'ENOTSUP', 'EROFS', 'EISDIR', 'EPERM', 'EACCES']
  if (!known.includes(error.code ?? '')) throw error
}
