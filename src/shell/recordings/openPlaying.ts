/** Opens a recording to answer in the place of a chain, and settles what a run has added to it. */
import { basename, join } from 'node:path'
import type { CursorPace } from '../../recording/playback/cursor.ts'
import { withLearned } from '../../recording/playback/learned.ts'
import { createPlayer } from '../../recording/playback/player.ts'
import { patched } from '../../recording/folder/patches.ts'
import { withIgnored } from '../../recording/folder/rules.ts'
import { cometNames, type Playing } from '../playback.ts'
import { hasLearned, learnedName, loadLibrary, originNow, saveLibrary } from './folderFiles.ts'
import { createAnswering, type Mode, type Report } from './modes.ts'
import { readPatches } from './patchFiles.ts'
import { readIgnored } from './ruleFile.ts'
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
}

/**
 * Resolves with a playback before its first call. Throws `BadRecording`, `BadTraffic` or
 * `UnreadableFile`.
 */
export async function openPlaying(
  { path, mode, upstreams, pace, scale, patienceMs, maxDegraded, allowWrites = false }: OpenOptions,
): Promise<Opened> {
  const recorded = await loadLibrary(path)
  const changed = patched(recorded, await readPatches(path), cometNames)
  const library = withIgnored(changed, await readIgnored(path))
  // A run that was killed has left what it learned.
  if (mode === 'missing' && await hasLearned(path)) await saveLibrary(path, recorded, originNow())
  const player = createPlayer(library, { pace, scale, patienceMs, name: basename(path) })
  let sink: Sink | undefined
  const answering = createAnswering({
    mode, player, library, upstreams, maxDegraded, allowWrites,
    note: (line) => {
      sink ??= openSink(
        join(path, learnedName), [...secretsOf(upstreams), ...secretsOfEnvironment(process.env)]
      )
      sink.note(line)
    },
  })
  return {
    player, answering,
    end: async () => {
      if (sink !== undefined) {
        await saveLibrary(path, withLearned(recorded, sink.end()), originNow())
      }
      return answering.report()
    },
  }
}
