/** Opens a recording to answer in the place of a chain, and settles what a run has added to it. */
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
  /** Writes what mode `missing` has learned, and resolves with what became of the run. */
  readonly end: () => Promise<Report>
  /** Reads patches and rules again. Throws `BadRecording`, and nothing has changed then. */
  readonly reload: () => Promise<void>
  /** Where the recording is. */
  readonly folder: string
  /** The files and folders in it that `reload` reads. */
  readonly watched: readonly string[]
  readonly chainIds: ChainIds
}

/**
 * Resolves with a playback before its first call. Throws `BadRecording`, `BadTraffic` or
 * `UnreadableFile`, and of mode `missing`, which alone writes, also `CannotWrite` and `InUse`.
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
  // A run that was killed has left what it learned.
  if (mode === 'missing' && (await hasLearned(path))) {
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
      if (sink !== undefined) {
        await saveLibrary(path, withLearned(recorded, sink.end()), originNow(level), lock)
      }
      lock?.release()
      return answering.report()
    },
  }
}
