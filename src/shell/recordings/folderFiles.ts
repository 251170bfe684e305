/** Recordings on disk: folders, and single files of raw traffic. */
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Files } from '../../recording/folder/files.ts'
import { readFolder } from '../../recording/folder/readFolder.ts'
import type { Origin } from '../../recording/folder/manifest.ts'
import { writeFolder } from '../../recording/folder/writeFolder.ts'
import { importLog, importTap, type Log } from '../../recording/playback/importTap.ts'
import { withLearned } from '../../recording/playback/learned.ts'
import type { Library } from '../../recording/playback/library.ts'
import { UnreadableFile } from '../config/home.ts'
import { packageVersion } from '../packageFiles.ts'
import { cometNames } from '../playback.ts'
import { isPack, loadPack } from './packFile.ts'
import { patchFolder } from './patchFiles.ts'
import { rulesName } from './ruleFile.ts'

/** Returns the files below a folder by their paths in it, in order. */
export async function readFiles(folder: string): Promise<Files> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = names.filter((one) => one.isFile() && isPart(one.name))
    .map(
      (one) => join(one.parentPath, one.name).slice(join(folder, '/').length).replaceAll('\\', '/')
    )
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')))
  return new Map(paths.map((path, index) => [path, texts[index] ?? ''] as const).toSorted(
    ([a], [b]) => (a < b ? -1 : 1)
  ))
}

function isPart(name: string): boolean {
  if (name === logName || name === learnedName) return false
  return name.endsWith('.jsonl') || name.endsWith('.json') || name === '.gitattributes'
}

/**
 * Writes a folder beside its place and then moves it there, so that there is never half of one;
 * what was written by hand stays.
 */
export async function writeFiles(folder: string, files: Files): Promise<void> {
  const part = `${folder}.part`
  await rm(part, { recursive: true, force: true })
  for (const path of files.keys()) await mkdir(dirname(join(part, path)), { recursive: true })
  await Promise.all([...files].map(([path, text]) => writeFile(join(part, path), text)))
  for (const name of [patchFolder, rulesName]) {
    const hand = join(folder, name)
    if (await stat(hand).then(() => true, () => false)) {
      await cp(hand, join(part, name), { recursive: true })
    }
  }
  await rm(folder, { recursive: true, force: true })
  await mkdir(dirname(folder), { recursive: true })
  await rename(part, folder)
}

/** Returns who made a recording and when: now. */
export function originNow(level: Origin['level'] = 0): Origin {
  return { version: packageVersion(), recordedAt: new Date().toISOString(), level }
}

/** Writes a recording as a folder. */
export async function saveLibrary(folder: string, library: Library, origin: Origin): Promise<void> {
  await writeFiles(folder, writeFolder(library, origin))
}

/** Where a recording grows until it is folded. */
export const logName = 'log.jsonl'

/** Where a playback puts what it learns until it ends. */
export const learnedName = 'learned.jsonl'

/**
 * Returns the recording at a path: a folder, one that was not finished, a packed file, or a file
 * of raw traffic. Throws `SimError`.
 */
export async function loadLibrary(path: string): Promise<Library> {
  const found = await stat(path)
    .catch((error: unknown) => { throw new UnreadableFile(path, error) })
  if (!found.isDirectory() && isPack(path)) return loadPack(path)
  if (!found.isDirectory()) return importTap(await readFile(path, 'utf8'), cometNames)
  const log = await unfinished(path)
  if (log !== undefined) return log.library
  const library = readFolder(await readFiles(path), cometNames)
  const learned = await readFile(join(path, learnedName), 'utf8').catch(() => undefined)
  return learned === undefined
    ? library
    : withLearned(library, importLog(learned, cometNames).library)
}

/** Resolves with whether a playback was killed before it folded what it had learned. */
export async function hasLearned(folder: string): Promise<boolean> {
  return stat(join(folder, learnedName)).then(() => true, () => false)
}

/** Returns the log of a folder that was never folded, or undefined. */
export async function unfinished(folder: string): Promise<Log | undefined> {
  const [manifest, log] = await Promise.all(['manifest.json', logName].map((name) =>
    readFile(join(folder, name), 'utf8').catch(() => undefined)))
  return manifest !== undefined || log === undefined ? undefined : importLog(log, cometNames)
}
