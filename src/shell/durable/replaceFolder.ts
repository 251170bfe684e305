import { dirname, join } from 'node:path'
import { CannotWrite } from './cannotWrite.ts'
import { readChunks, systemDisk, writeAll, type Disk, type DiskFile } from './disk.ts'
import { lockPath, type Lock } from './lock.ts'
import { besidePath, removeLeftovers, restoreFolder } from './part.ts'
import { makeFolder, syncFolder } from './folders.ts'
import { absent, createFile, isOfSystem } from './writeFile.ts'

/** `isOwn` selects the paths in the old folder that are replaced; all others are kept. */
export type Replacing = {
  readonly isOwn: (path: string) => boolean
  /** The caller's lock on the folder, if it holds one. */
  readonly lock?: Lock | undefined
  readonly disk?: Disk
}

/**
 * Replaces the contents of a folder; `files` maps relative paths to text. After a crash, either the
 * old or the new folder exists; `restoreFolder` recovers an old one that was renamed. Throws
 * `CannotWrite`, or `InUse` if another process is writing; the old folder is then unchanged.
 */
export async function replaceFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  { isOwn, lock, disk = systemDisk }: Replacing,
): Promise<void> {
  const own = lock === undefined ? lockPath(folder, disk) : undefined
  try {
    await replaceLocked(folder, files, { isOwn, disk })
  } finally {
    own?.release()
  }
}

type Replace = Required<Pick<Replacing, 'isOwn' | 'disk'>>

async function replaceLocked(
  folder: string,
  files: ReadonlyMap<string, string>,
  { isOwn, disk }: Replace,
): Promise<void> {
  const part = besidePath(folder, 'part')
  try {
    await makeFolder(dirname(folder), disk)
    await restoreFolder(folder, disk)
    await removeLeftovers(folder, disk)
    await disk.mkdir(part)
    const written = await Promise.allSettled([...files].map(([path, text]) => createFile(join(part, path), text, disk)))
    for (const one of written) if (one.status === 'rejected') throw one.reason
    const foreign = await foreignIn(disk, folder, (path) => isOwn(path) || files.has(path))
    for (const path of foreign) await copy(disk, join(folder, path), join(part, path))
    for (const one of foldersOf([...files.keys(), ...foreign])) await syncFolder(join(part, one), disk)
    await swap(disk, folder, part)
  } catch (error) {
    await disk.rm(part, { recursive: true, force: true })
    throw isOfSystem(error) ? new CannotWrite(folder, error) : error
  }
}

/** Returns the folders of all paths, with their parents, up to the common root `.`. */
function foldersOf(paths: readonly string[]): ReadonlySet<string> {
  const folders = new Set(['.'])
  for (const path of paths) for (let one = dirname(path); one !== '.'; one = dirname(one)) folders.add(one)
  return folders
}

/** Returns the relative paths of files and links to keep, separated by `/`. */
async function foreignIn(
  disk: Disk,
  folder: string,
  isOwn: (path: string) => boolean,
  below = '',
): Promise<readonly string[]> {
  const names = (await disk.readdir(join(folder, below)).catch(absent)) ?? []
  const paths = await Promise.all(
    names.map(async (name) => {
      const path = `${below}${name}`
      if (isOwn(path)) return []
      if (!(await disk.lstat(join(folder, path))).isDirectory()) return [path]
      return foreignIn(disk, folder, isOwn, `${path}/`)
    }),
  )
  return paths.flat()
}

/** Copies a file or a symbolic link; a file's content is synced to disk. */
async function copy(disk: Disk, from: string, to: string): Promise<void> {
  const found = await disk.lstat(from)
  if (found.isSymbolicLink()) {
    await disk.mkdir(dirname(to), { recursive: true })
    return disk.symlink(await disk.readlink(from), to)
  }
  // Reading a pipe would wait for its writer.
  if (!found.isFile()) {
    const why = `expected a file, folder or link, found something else: ${from}`
    throw Object.assign(new Error(why), { syscall: 'copy', code: 'ENOTSUP' })
  }
  const write = async (file: DiskFile) => {
    await file.chmod(found.mode & 0o777)
    for await (const chunk of readChunks(disk, from, { from: 0 })) await writeAll(file, chunk)
  }
  await createFile(to, write, disk)
}

async function swap(disk: Disk, folder: string, part: string): Promise<void> {
  const old = besidePath(folder, 'old')
  const hadOne = await disk.rename(folder, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
  try {
    await disk.rename(part, folder)
  } catch (error) {
    if (hadOne) await disk.rename(old, folder)
    throw error
  }
  await syncFolder(dirname(folder), disk)
  if (hadOne) await disk.rm(old, { recursive: true, force: true })
}
