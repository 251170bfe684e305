/**
 * Writes a recording as it grows: each exchange is redacted, scanned for secrets, and appended at
 * once.
 */
import { createImporter } from '../../recording/playback/importTap.ts'
import type { Library } from '../../recording/playback/library.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { redactLine } from '../../recording/redact/redactLine.ts'
import { secretIn, type Secret } from '../../recording/redact/scan.ts'
import { systemDisk } from '../durable/disk.ts'
import { openGrowingFile } from '../durable/growingFile.ts'
import { cometNames } from '../playback.ts'

/** An exchange that was withheld because of a secret; `n` is its number. */
export type Withheld = Secret & { readonly n: number }

export type Sink = {
  readonly note: (line: TapLine) => void
  readonly count: () => number
  readonly withheld: () => readonly Withheld[]
  /** Closes the log and returns the recording. */
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
  let n = 0
  const append = (text: string) => {
    file.append(`${text}\n`)
    importer.line(text)
  }
  append(header)
  return {
    note: (line) => {
      n += 1
      const cut = redactLine({ ...line, n }, cometNames)
      const secret = secretIn(cut, secrets)
      if (secret === undefined) append(JSON.stringify(cut))
      else withheld.push({ ...secret, n })
    },
    count: () => n - withheld.length,
    withheld: () => withheld,
    end: () => {
      file.close()
      return importer.library()
    },
  }
}
