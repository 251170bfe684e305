/** The file of a recording. It grows during the run, so that a killed process leaves its lines. */
import { systemDisk } from './durable/disk.ts'
import { openGrowingFile, type GrowingFile } from './durable/growingFile.ts'
import { lockPath } from './durable/lock.ts'
import { isDeviceFile } from './durable/writeFile.ts'

export type RecordingFile = {
  /** Appends a line, given without its line break. Lines before `begin` are written by `begin`. */
  readonly note: (line: string) => void
  /** Creates or replaces the file and writes its header. Throws `CannotWrite`. */
  readonly begin: (header: string) => void
  /** Flushes the file to disk and closes it. Throws the error of a line that was not written. */
  readonly end: () => void
  /** Aborted when a line cannot be written; later lines are dropped. */
  readonly failed: AbortSignal
}

/** Returns a recording file and locks it against other writers. Throws `InUse`, `CannotWrite`. */
export function createRecordingFile(path: string, disk = systemDisk): RecordingFile {
  const lock = isDeviceFile(path, disk.now.lstat(path)) ? undefined : lockPath(path, disk)
  const abort = new AbortController()
  let waiting: string[] = []
  let file: GrowingFile | undefined
  const write = (lines: readonly string[]) => {
    if (abort.signal.aborted) return
    try {
      file?.append(lines.map((line) => `${line}\n`).join(''))
    } catch (error) {
      abort.abort(error)
    }
  }
  return {
    failed: abort.signal,
    note: (line) => {
      if (file === undefined) waiting.push(line)
      else write([line])
    },
    begin: (header) => {
      file = openGrowingFile(path, disk)
      write([header, ...waiting])
      waiting = []
    },
    end: () => {
      try {
        file?.close()
        if (abort.signal.aborted) throw abort.signal.reason
      } finally {
        lock?.release()
      }
    },
  }
}
