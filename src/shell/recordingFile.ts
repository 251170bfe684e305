/** The file of a recording, which grows while the chain runs: what a killed process has recorded stays. */
import { lstatSync } from 'node:fs'
import { openGrowingFile, type GrowingFile } from './durable/growingFile.ts'
import { lockPath } from './durable/lock.ts'
import { isDeviceFile } from './durable/writeFile.ts'

export type RecordingFile = {
  /** Takes a line without its end; those before `begin` are written then. */
  readonly note: (line: string) => void
  /** Begins the file with a header, over an older one. Throws `CannotWrite`. */
  readonly begin: (header: string) => void
  /** Closes the file, which is on disk then. Throws why a line could not be written. */
  readonly end: () => void
  /** Aborted when a line could not be written: nothing more is. */
  readonly failed: AbortSignal
}

/** Returns a file that nobody else writes from now on. Throws `InUse` and `CannotWrite`. */
export function createRecordingFile(path: string): RecordingFile {
  const lock = isDeviceFile(path, lstatSync(path, { throwIfNoEntry: false })) ? undefined : lockPath(path)
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
      file = openGrowingFile(path)
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
