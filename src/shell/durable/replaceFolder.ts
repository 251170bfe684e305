import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CannotWrite } from './cannotWrite.ts'
import { lockPath, type Lock } from './lock.ts'
import { besidePath, removeLeftovers, restoreFolder } from './part.ts'
import { absent, createFile, isOfSystem, syncFolder } from './writeFile.ts'

/** `isOwn`: which paths in the old folder the new files replace; all others stay. */
export type Replacing = {
  readonly isOwn: (path: string) => boolean
  /** Of a caller who holds one on the folder already. */
  readonly lock?: Lock | undefined
}

/**
 * Replaces a folder by new files, named by their paths in it. A crash leaves the old folder or the
 * new one: `restoreFolder` finds the old one where it was moved aside. Throws `CannotWrite`, or
 * `InUse` where somebody else writes; the old folder has not changed then.
 */
export async function replaceFolder(
  folder: string,
  files: ReadonlyMap<string, string>,
  { isOwn, lock }: Replacing,
): Promise<void> {
  const own = lock === undefined ? lockPath(folder) : undefined
  try {
    await replaceLocked(folder, files, isOwn)
  } finally {
    own?.release()
  }
}

async function replaceLocked(
  folder: string,
  files: ReadonlyMap<string, string>,
  isOwn: Replacing['isOwn'],
): Promise<void> {
  const part = besidePath(folder, 'part')
  try {
    await mkdir(dirname(folder), { recursive: true })
    await restoreFolder(folder)
    await removeLeftovers(folder)
    await mkdir(part)
    const written = await Promise.allSettled([...files].map(([path, text]) => createFile(join(part, path), text)))
    for (const one of written) if (one.status === 'rejected') throw one.reason
    const folders = new Set([...files.keys()].map((path) => dirname(join(part, path))))
    for (const one of folders) await syncFolder(one)
    for (const path of await foreignIn(folder, (path) => isOwn(path) || files.has(path))) {
      await cp(join(folder, path), join(part, path), { recursive: true, verbatimSymlinks: true })
    }
    await swap(folder, part)
  } catch (error) {
    await rm(part, { recursive: true, force: true })
    throw isOfSystem(error) ? new CannotWrite(folder, error) : error
  }
}

/** Returns the paths of files and links that are not ours, with `/` between names. */
async function foreignIn(folder: string, isOwn: (path: string) => boolean, below = ''): Promise<readonly string[]> {
  const entries = (await readdir(join(folder, below), { withFileTypes: true }).catch(absent)) ?? []
  const paths = await Promise.all(
    entries.map(async (entry) => {
      const path = `${below}${entry.name}`
      if (isOwn(path)) return []
      if (!entry.isDirectory()) return [path]
      return foreignIn(folder, isOwn, `${path}/`)
    }),
  )
  return paths.flat()
}

async function swap(folder: string, part: string): Promise<void> {
  const old = besidePath(folder, 'old')
  const hadOne = await rename(folder, old).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
  try {
    await rename(part, folder)
  } catch (error) {
    if (hadOne) await rename(old, folder)
    throw error
  }
  await syncFolder(dirname(folder))
  if (hadOne) await rm(old, { recursive: true, force: true })
}
