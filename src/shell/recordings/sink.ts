/**
 * Writes a recording as it grows: each exchange is redacted, scanned for secrets, and appended at
 * once.
 */
import { createImporter } from '../../recording/playback/importTap.ts'
import type { Library } from '../../recording/playback/library.ts'
import { isExchange, type TapLine } from '../../recording/playback/tapLine.ts'
import { redactLine } from '../../recording/redact/redactLine.ts'
import { secretIn, type Secret } from '../../recording/redact/scan.ts'
import { systemDisk } from '../durable/disk.ts'
import { openGrowingFile } from '../durable/growingFile.ts'
import { cometNames } from '../playback.ts'

/** An exchange that was withheld because of a secret; `n` is its number. */
export type Withheld = Secret & { readonly n: number }

export type Sink = {
  /** Writes an exchange and never throws. After a failure and after the end, exchanges are dropped. */
  readonly note: (line: TapLine) => void
  /** Aborted when an exchange cannot be written. */
  readonly failed: AbortSignal
  /** Returns the number of exchanges written: requests, with their responses if there are any. */
  readonly count: () => number
  readonly withheld: () => readonly Withheld[]
  /** Closes the log and returns the recording. Throws the error of an exchange that was not written. */
  readonly end: () => Library
}

const header = JSON.stringify({ format: 'tap/1', redaction: 1 })

/**
 * Returns a sink that truncates a file and appends to it; `secrets` are values that must not be
 * written.
 */
export function openSink(path: string, secrets: readonly string[], disk = systemDisk): Sink {
  const file = openGrowingFile(path, disk)
  const importer = createImporter(cometNames)
  const withheld: Withheld[] = []
  const abort = new AbortController()
  let n = 0
  let exchanges = 0
  let isOver = false
  const append = (text: string) => {
    file.append(`${text}\n`)
    importer.line(text)
  }
  const take = (line: TapLine) => {
    const cut = redactLine({ ...line, n: n + 1 }, cometNames)
    const secret = secretIn(cut, secrets)
    if (secret === undefined) {
      append(JSON.stringify(cut))
      if (isExchange(line)) exchanges += 1
    } else withheld.push({ ...secret, n: n + 1 })
    n += 1
  }
  append(header)
  return {
    failed: abort.signal,
    note: (line) => {
      if (isOver || abort.signal.aborted) return
      try {
        take(line)
      } catch (error) {
        abort.abort(error)
      }
    },
    count: () => exchanges,
    withheld: () => withheld,
    end: () => {
      isOver = true
      file.close()
      abort.signal.throwIfAborted()
      return importer.library()
    },
  }
}
