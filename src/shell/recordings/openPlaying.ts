/** Opens a recording for playback, and saves the answers that a run has added. */
import { basename, join } from 'node:path'
import type { CursorPace } from '../../recording/playback/cursor.ts'
import { chainIdsOf, type ChainIds } from '../../recording/playback/chainFacts.ts'
import { withLearned } from '../../recording/playback/learned.ts'
import { createPlayer } from '../../recording/playback/player.ts'
import { patched } from '../../recording/folder/patches.ts'
import { withIgnored } from '../../recording/folder/rules.ts'
import { lockPath, type Lock } from '../durable/lock.ts'
import { cometNames, createPlayback, type Playing } from '../playback.ts'
import { hasLearned, learnedName, loadLibrary, originNow, originOf, saveLibrary } from './folderFiles.ts'
import type { Mode } from './mode.ts'
import { createAnswering, type Report } from './modes.ts'
import { patchFolder, readPatches } from './patchFiles.ts'
import { readIgnored, rulesName } from './ruleFile.ts'
import { openSink, type Sink } from './sink.ts'
import { secretsOf, secretsOfEnvironment, type Upstreams } from './upstream.ts'

export type OpenOptions = {
  readonly path: string
  readonly mode: Mode
  readonly upstreams: Upstreams
  readonly pace: CursorPace
  readonly scale: number
  readonly patienceMs: number
  readonly maxDegraded: number
  readonly allowWrites?: boolean
}

export type Opened = Playing & {
  /** Saves the answers that mode `missing` has fetched, and resolves with the report of the run. */
  readonly end: () => Promise<Report>
  /** Reloads patches and rules. Throws `BadRecording`; the old ones then remain in effect. */
  readonly reload: () => Promise<void>
  /** The folder or file of the recording. */
  readonly folder: string
  /** The files and folders in it that `reload` reads. */
  readonly watched: readonly string[]
  readonly chainIds: ChainIds
}

/**
 * Resolves with a playback before its first call. Throws `BadRecording`, `BadTraffic` or
 * `UnreadableFile`. Mode `missing`, which alone writes, also throws `CannotWrite` and `InUse`.
 */
export async function openPlaying(options: OpenOptions): Promise<Opened> {
  const lock = options.mode === 'missing' ? lockPath(options.path) : undefined
  try {
    return await openLocked(options, lock)
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function openLocked(
  { path, mode, upstreams, pace, scale, patienceMs, maxDegraded, allowWrites = false }: OpenOptions,
  lock: Lock | undefined,
): Promise<Opened> {
  const recorded = await loadLibrary(path)
  const changed = async () =>
    withIgnored(patched(recorded, await readPatches(path), cometNames), await readIgnored(path))
  let library = await changed()
  const { level } = await originOf(path)
  // Merge the answers that a killed run has left.
  if (mode === 'missing' && hasLearned(path)) {
    await saveLibrary(path, recorded, originNow(level), lock)
  }
  const player = createPlayer(library, { pace, scale, patienceMs, name: basename(path) })
  let sink: Sink | undefined
  const answering = createAnswering({
    mode,
    player,
    library: () => library,
    upstreams,
    maxDegraded,
    allowWrites,
    note: (line) => {
      sink ??= openSink(join(path, learnedName), [...secretsOf(upstreams), ...secretsOfEnvironment(process.env)])
      sink.note(line)
      // A run that cannot keep an answer must not pass, so its request fails.
      sink.failed.throwIfAborted()
    },
  })
  return {
    player,
    answering,
    createQueue: createPlayback,
    chainIds: chainIdsOf(recorded.answers),
    folder: path,
    watched: [join(path, patchFolder), join(path, rulesName)],
    reload: async () => {
      library = await changed()
      player.change(library)
    },
    end: async () => {
      try {
        if (sink !== undefined) await saveLibrary(path, withLearned(recorded, sink.end()), originNow(level), lock)
      } finally {
        lock?.release()
      }
      return answering.report()
    },
  }
}
