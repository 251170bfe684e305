/** Reloads after saves of files, by whatever program and on whatever file system. */
import type { BigIntStats } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isExpected, messageAndHint, thrownInFull } from '../errors.ts'
import type { Problems } from './problems.ts'
import type { Sinks } from './queue.ts'

/** What is watched, and what a save of it does. */
export type Watched = {
  /** Returns the files and folders to look at, given the error of the last reload. */
  readonly files: (error?: unknown) => readonly string[] | Promise<readonly string[]>
  /** Reads the files again. An error changes nothing and is reported. */
  readonly reload: () => Promise<void>
  /** The name of the problem that an error is shown as. */
  readonly source: string
  readonly problems: () => Problems
  readonly log: Sinks['log']
}

export type Watching = { readonly close: () => void }

/** Time between two looks in milliseconds. It is one more for each file, so that looking at many costs little. */
const lookMs = 200

/** The same after a look that found a change: a save may take several steps, and ends when there is no further one. */
const settleMs = 60

/** The times of files are this exact, in milliseconds. */
const coarseMs = 20

/**
 * Looks at files and folders until `close`, and reloads after they were saved, created or deleted. It does not
 * wait for events of the system. A folder of another machine has none, and neither has a symbolic link that gets
 * another target. Events end when a folder is deleted and written again, as between two branches.
 */
export async function watchFiles({ files, reload, source, problems, log }: Watched): Promise<Watching> {
  const closing = new AbortController()
  let names = await files()
  let seen = await stampsOf(names)
  let reloadMs = Date.now()
  let isRefused = false
  const reloaded = async () => {
    reloadMs = Date.now()
    try {
      await reload()
      if (isRefused) log('info', 'the saved files are valid again')
      isRefused = false
      problems().clear(source)
      names = await files()
    } catch (error) {
      if (closing.signal.aborted) return
      isRefused = true
      problems().set(source, errorReport(error))
      log('error', `not reloaded, nothing has changed:\n${errorReport(error)}`)
      names = await files(error)
    }
  }
  /** Looks at the files and returns whether one was saved since the last look, or since a reload first named it. */
  const look = async () => {
    const before = seen
    seen = await stampsOf(names)
    return [...seen].some(([name, { text, writtenMs }]) => {
      const last = before.get(name)
      return last === undefined ? writtenMs > reloadMs - coarseMs : last.text !== text
    })
  }
  const looking = async () => {
    let isSaving = false
    for (;;) {
      await delay((isSaving ? settleMs : lookMs) + seen.size, undefined, { ref: false, signal: closing.signal })
      const isSaved = await look()
      if (isSaving && !isSaved) await reloaded()
      isSaving = isSaved
    }
  }
  looking().catch((error: unknown) => {
    if (!closing.signal.aborted) log('error', `saved files are not reloaded any more:\n${errorReport(error)}`)
  })
  return { close: () => closing.abort() }
}

/** What changes when a file is written, and when that was. */
type Stamp = { readonly text: string; readonly writtenMs: number }

/** Resolves with the stamps of files and folders, and of the files in these folders. */
async function stampsOf(paths: readonly string[]): Promise<ReadonlyMap<string, Stamp>> {
  const stamps = new Map<string, Stamp>()
  const add = async (path: string) => {
    const found = await stat(path, { bigint: true }).catch(() => undefined)
    stamps.set(path, found === undefined ? nothing : stampFrom(found))
    return found
  }
  await Promise.all(
    paths.map(async (path) => {
      if (!(await add(path))?.isDirectory()) return
      const names = await readdir(path).catch(() => [])
      await Promise.all(names.map((name) => add(join(path, name))))
    }),
  )
  return stamps
}

/** The stamp of a path at which there is no file. */
const nothing: Stamp = { text: '', writtenMs: 0 }

function stampFrom({ mtimeNs, mtimeMs, size, ino }: BigIntStats): Stamp {
  return { text: `${mtimeNs} ${size} ${ino}`, writtenMs: Number(mtimeMs) }
}

/** Returns the text that a user reads about an error of a reload: with a stack if it is a bug. */
function errorReport(error: unknown): string {
  return isExpected(error) ? messageAndHint(error) : thrownInFull(error)
}
