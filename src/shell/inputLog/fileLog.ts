/**
 * The input log as two files: a state file FILE with the snapshot, and FILE.log with the later
 * entries. Each is replaced atomically. Between the two replacements, the log still has entries
 * that the snapshot contains, and names that snapshot. The folder FILE.history has the old blocks
 * and states that the snapshot refers to. They are synced before it, and removed after it.
 */
import { readChunks, systemDisk, type Disk } from '../durable/disk.ts'
import { absent, writeFileWhole } from '../durable/writeFile.ts'
import type { Sinks } from '../queue.ts'
import { BadState, type StateHeader, stateHeader, stateHeaderAt } from '../stateFile.ts'
import { historyPathOf, type PartSize } from './chunkPlace.ts'
import { type ChunkStore, namesIn, openChunkStore } from './chunkStore.ts'
import { examineLog, type Examined, NoLogFile } from './examineLog.ts'
import { type LogEntry, type InputLog, OutOfOrder, type Snapshot } from './inputLog.ts'
import { createLogFile, cutLog, entryLine, type Keep } from './logFile.ts'
import { readLogLine } from './logLine.ts'
import { readLines } from './readLines.ts'

export type FileLog = InputLog & {
  readonly history: ChunkStore
  /**
   * Closes the log. Resolves when the state file contains these bytes and the log is removed; also
   * removes the history, if the bytes do not refer to it.
   */
  readonly finish: (bytes: Uint8Array) => Promise<void>
}

/** Returns the path of a state file's log. */
export function logPathOf(path: string): string {
  return `${path}.log`
}

/** Entries that are written together. */
type Group = { readonly lines: string[]; readonly done: Promise<void> }

/** `say` logs that a torn end was cut off, and that old blocks cannot leave memory. */
export type FileLogOptions = Partial<Keep> & { readonly say?: Sinks['log'] }

/**
 * Opens the log of a state file, or a new log if neither file exists. A torn end is cut off. A new
 * log accepts entries after its first snapshot, and one snapshot at a time. Throws `BrokenLog`,
 * `ForeignLog`, `BadState` and `CannotWrite`.
 */
export async function openFileLog(
  path: string,
  { durability = 'fsync', disk = systemDisk, say = () => {} }: FileLogOptions = {},
): Promise<FileLog> {
  const logPath = logPathOf(path)
  const found = await findLog(disk, path, say)
  const history = await openChunkStore(historyPathOf(path), (await stateHeaderAt(path, disk))?.history ?? [], {
    disk,
    say,
  })
  const file = createLogFile(logPath, { durability, disk }, found)
  let queued = file.last()
  let group: Group | undefined
  let work: Promise<unknown> = Promise.resolve()
  let saving: Promise<unknown> = Promise.resolve()
  let failure: unknown

  /** Runs tasks on the log file one at a time. Once a task has failed, all later ones fail too. */
  function next(task: () => Promise<void>): Promise<void> {
    const done = work.then(async () => {
      if (failure !== undefined) throw failure
      try {
        await task()
      } catch (error) {
        failure = error
        throw error
      }
    })
    work = done.catch(() => {})
    return done
  }

  /** Collects the entries of one turn of the event loop, and those added during a write. */
  function newGroup(): Group {
    const lines: string[] = []
    const done = next(async () => {
      await new Promise((go) => {
        setImmediate(go)
      })
      if (group?.lines === lines) group = undefined
      await file.append(lines)
    })
    return { lines, done }
  }

  function append({ sequence, text }: LogEntry): Promise<void> {
    if (sequence !== queued + 1) return Promise.reject(new OutOfOrder(queued + 1, sequence))
    queued = sequence
    group ??= newGroup()
    group.lines.push(entryLine(sequence, file.last(), text))
    return group.done
  }

  /** Replaces the chain. Entries appended meanwhile wait: they need the snapshot. */
  function replace({ sequence, bytes }: Snapshot): Promise<void> {
    const before = saving
    const digest = digestOf(bytes)
    queued = sequence
    group = undefined
    return next(async () => {
      await before
      await history.sync()
      await file.announce('replaced', sequence, digest)
      await writeFileWhole(path, bytes, disk)
      await file.begin(sequence, digest)
      await history.keepOnly(historyOf(bytes))
    })
  }

  async function shortenTo({ sequence, bytes }: Snapshot): Promise<void> {
    const digest = digestOf(bytes)
    const announced = next(() => file.announce('snapshot', sequence, digest))
    const kept = announced.then(history.sync).then(() => writeFileWhole(path, bytes, disk))
    saving = kept.catch(() => {})
    await kept
    await next(() => file.begin(sequence, digest))
    await history.keepOnly(historyOf(bytes))
  }

  return {
    history,
    last: () => queued,
    snapshot: async () =>
      found === undefined ? undefined : { sequence: found.base, bytes: await wholeFile(disk, path) },
    append,
    async *read(after) {
      if (found === undefined || found.to === 0) return
      for await (const { text, to } of readLines(disk, logPath, found.from)) {
        if (to > found.to) return
        const line = readLogLine(text)
        if (line?.kind === 'input' && line.sequence > after) yield line
      }
    },
    shorten: (snapshot) => (snapshot.sequence > queued ? replace(snapshot) : shortenTo(snapshot)),
    close: () =>
      next(async () => {
        await file.close()
        await history.close()
      }),
    finish: (bytes) =>
      next(async () => {
        await saving
        await history.sync()
        await file.announce('snapshot', file.last(), digestOf(bytes))
        await writeFileWhole(path, bytes, disk)
        await file.remove()
        if (historyOf(bytes).length === 0) await history.remove()
        else await history.close()
      }),
  }
}

/** Examines the log of a state file and cuts off its torn end; resolves with undefined if neither file exists. */
async function findLog(disk: Disk, path: string, say: Sinks['log']): Promise<Examined | undefined> {
  const logPath = logPathOf(path)
  const header = await stateHeaderAt(path, disk)
  const stats = await disk.lstat(logPath).catch(absent)
  if (stats === undefined) {
    if (header !== undefined) return { base: 0, from: 0, ends: [], to: 0 }
    if ((await namesIn(disk, historyPathOf(path))).length === 0) return undefined
    throw new BadState(`file not found, but ${historyPathOf(path)} has its old blocks`, { path })
  }
  if (header === undefined) throw new BadState(`file not found, but ${logPath} continues from it`, { path })
  if (!stats.isFile()) throw new NoLogFile(logPath)
  const found = await examineLog(disk, logPath, header.sha256)
  const removed = await cutLog(disk, logPath, found)
  if (removed > 0) {
    const last = found.base + found.ends.length
    say('warn', `${logPath}: removed ${removed} damaged bytes after entry ${last}, from which the chain continues`)
  }
  return found
}

async function wholeFile(disk: Disk, path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(disk, path, { from: 0 })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function digestOf(bytes: Uint8Array): string {
  return headerOf(bytes).sha256
}

function historyOf(bytes: Uint8Array): readonly PartSize[] {
  return headerOf(bytes).history ?? []
}

function headerOf({ buffer, byteOffset, byteLength }: Uint8Array): StateHeader {
  return stateHeader(Buffer.from(buffer, byteOffset, byteLength))
}
