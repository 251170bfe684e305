/** Reads and writes recordings on disk: folders, and files of raw traffic. */
import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SimError } from '../../errors.ts'
import { isRecorded, type RecordingFiles } from '../../recording/folder/files.ts'
import { readFolder } from '../../recording/folder/readFolder.ts'
import { manifestOf, type RecordingOrigin } from '../../recording/folder/manifest.ts'
import { writeFolder } from '../../recording/folder/writeFolder.ts'
import { importLog, importTap, type TapLog } from '../../recording/playback/importTap.ts'
import { withLearned } from '../../recording/playback/learned.ts'
import type { Library } from '../../recording/playback/library.ts'
import { UnreadableFile } from '../config/home.ts'
import type { Lock } from '../durable/lock.ts'
import { restoreFolder } from '../durable/part.ts'
import { replaceFolder } from '../durable/replaceFolder.ts'
import { packageVersion } from '../packageFiles.ts'
import { nameBelow } from '../paths.ts'
import { cometNames } from '../playback.ts'
import { recordingText } from '../recordingText.ts'
import { isPack, loadPack, packOrigin } from './packFile.ts'

/** Resolves with the files of a recording's folder, by relative path, sorted. */
export async function readFiles(folder: string): Promise<RecordingFiles> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = names
    .filter((one) => one.isFile() && isPart(one.name))
    .map((one) => nameBelow(folder, join(one.parentPath, one.name)))
  const texts = await Promise.all(paths.map((path) => readFile(join(folder, path), 'utf8')))
  return new Map(
    paths.map((path, index) => [path, texts[index] ?? ''] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

function isPart(name: string): boolean {
  if (name === logName || name === learnedName) return false
  return name.endsWith('.jsonl') || name.endsWith('.json') || name === '.gitattributes'
}

/** Returns the origin of a recording made now by this version. */
export function originNow(level: RecordingOrigin['level'] = 0): RecordingOrigin {
  return { version: packageVersion(), recordedAt: new Date().toISOString(), level }
}

/**
 * Resolves with the origin of the recording at a path. For raw traffic and unfinished recordings,
 * the time is that of the file. Throws `SimError`.
 */
export async function originOf(path: string): Promise<RecordingOrigin> {
  const found = await statOf(path)
  if (found.isFile() && isPack(path)) return packOrigin(path)
  const text = found.isDirectory() ? await readFile(join(path, manifestName), 'utf8').catch(() => undefined) : undefined
  if (text !== undefined) {
    const { version, recordedAt, level } = manifestOf(new Map([[manifestName, text]]))
    return { version, recordedAt, level }
  }
  return { version: packageVersion(), recordedAt: found.mtime.toISOString(), level: 0 }
}

/** Returns the origin of two merged recordings: the earlier time and the lower level. */
export function originOfBoth(one: RecordingOrigin, other: RecordingOrigin): RecordingOrigin {
  const recordedAt = one.recordedAt < other.recordedAt ? one.recordedAt : other.recordedAt
  const { level } = one.level < other.level ? one : other
  return { version: packageVersion(), recordedAt, level }
}

/**
 * Writes a recording to a folder and keeps patches, rules and unrelated files there. Pass `lock` if
 * the caller already holds the folder's lock. Throws `CannotWrite` and `InUse`.
 */
export async function saveLibrary(
  folder: string,
  library: Library,
  origin: RecordingOrigin,
  lock?: Lock,
): Promise<void> {
  await replaceFolder(folder, writeFolder(library, origin), { isOwn: isOfRecording, lock })
}

function isOfRecording(path: string): boolean {
  return path === logName || path === learnedName || isRecorded(path)
}

const manifestName = 'manifest.json'

/** The file that a recording appends to until it is saved as a folder. */
export const logName = 'log.jsonl'

/** The file in which a playback keeps newly fetched answers until it ends. */
export const learnedName = 'learned.jsonl'

/**
 * Resolves with the recording at a path: a folder, an unfinished folder, a packed file, or a file
 * of raw traffic. Throws `SimError`.
 */
export async function loadLibrary(path: string): Promise<Library> {
  await restoreFolder(path)
  const found = await statOf(path)
  if (!found.isDirectory() && isPack(path)) return loadPack(path)
  if (!found.isDirectory()) return importTap(await recordingText(path), cometNames)
  const log = await unfinished(path)
  if (log !== undefined) return log.library
  const library = readFolder(await readFiles(path), cometNames)
  const learned = await readFile(join(path, learnedName), 'utf8').catch(() => undefined)
  return learned === undefined ? library : withLearned(library, importLog(learned, cometNames).library)
}

/** Returns whether a killed playback left fetched answers that are not merged yet. */
export function hasLearned(folder: string): boolean {
  return existsSync(join(folder, learnedName))
}

/** Resolves with the log of an unfinished recording, or undefined. */
export async function unfinished(folder: string): Promise<TapLog | undefined> {
  const [manifest, log] = await Promise.all(
    [manifestName, logName].map((name) => readFile(join(folder, name), 'utf8').catch(() => undefined)),
  )
  return manifest !== undefined || log === undefined ? undefined : importLog(log, cometNames)
}

function statOf(path: string) {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new NoRecording(path, error) : new UnreadableFile(path, error)
  })
}

/** Thrown for a path where nothing is. It may be the address of a node without its scheme. */
class NoRecording extends SimError {
  constructor(path: string, cause: unknown) {
    super('UNREADABLE_FILE', `${path}: there is no recording`, {
      cause,
      hint: /^[\w.-]+:\d+$/.test(path)
        ? `For a node, write http://${path}.`
        : 'Correct the path, or record a node with chainstage record.',
    })
  }
}
