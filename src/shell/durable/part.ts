/**
 * Temporary names beside a file or folder NAME while it is replaced. `.NAME.PID.RANDOM.part`
 * becomes the new NAME; `.NAME.PID.RANDOM.old` is a folder's old content between two renames. The
 * next writer of NAME recognizes leftovers of a crash by PID.
 */
import { randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { systemDisk, type Disk } from './disk.ts'

/**
 * Age in ms below which a file counts as in use: its process may run in another container, where
 * this machine cannot see its id.
 */
export const youngMs = 60_000

type Kind = 'part' | 'old'

/**
 * Random parts that this process created. In a container, it may have the same id as a process that
 * crashed there.
 */
const ownRandoms = new Set<string>()

/** Returns a path beside another one that no other writer uses. */
export function besidePath(path: string, kind: Kind): string {
  const random = randomBytes(8).toString('hex')
  ownRandoms.add(random)
  return join(dirname(path), `.${basename(path)}.${process.pid}.${random}.${kind}`)
}

/** Removes files that crashed writers of a path left behind, if older than `youngMs`. */
export async function removeLeftovers(path: string, disk = systemDisk): Promise<void> {
  for (const { path: left, ageMs } of await leftoversOf(path, disk)) {
    if (ageMs > youngMs) await disk.rm(left, { force: true, recursive: true })
  }
}

/** Restores the old content of a folder whose writer crashed between its two renames. */
export async function restoreFolder(folder: string, disk = systemDisk): Promise<void> {
  if (
    await disk.lstat(folder).then(
      () => true,
      () => false,
    )
  )
    return
  const old = (await leftoversOf(folder, disk))
    .filter(({ kind }) => kind === 'old')
    .toSorted((a, b) => a.ageMs - b.ageMs)
  const [newest] = old
  if (newest !== undefined) await disk.rename(newest.path, folder)
}

type Leftover = { readonly path: string; readonly kind: Kind; readonly ageMs: number }

async function leftoversOf(path: string, disk: Disk): Promise<readonly Leftover[]> {
  const folder = dirname(path)
  const start = `.${basename(path)}.`
  const all = await disk.readdir(folder).catch((): string[] => [])
  const names = all.filter((name) => name.startsWith(start))
  const found = await Promise.all(
    names.map(async (name) => {
      const [, pid, random = '', kind] = /^(\d+)\.([0-9a-f]{16})\.(part|old)$/.exec(name.slice(start.length)) ?? []
      if (pid === undefined || isWriting(Number(pid), random)) return []
      const left = join(folder, name)
      const written = await disk.lstat(left).then(
        ({ mtimeMs }) => mtimeMs,
        () => Infinity,
      )
      return [{ path: left, kind: kind as Kind, ageMs: Date.now() - written }]
    }),
  )
  return found.flat()
}

function isWriting(pid: number, random: string): boolean {
  return pid === process.pid ? ownRandoms.has(random) : isRunning(pid)
}

/** Returns whether this machine runs a process with an id, including those of other users. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
