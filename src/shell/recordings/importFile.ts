/**
 * Imports foreign traffic as a recording, with the same redaction and scan for secrets as live
 * traffic.
 */
import { fromHar } from '../../recording/har/fromHar.ts'
import type { Library } from '../../recording/playback/library.ts'
import { exchangeIn, linesOf, parseTraffic } from '../../recording/playback/importTap.ts'
import type { TapLine } from '../../recording/playback/tapLine.ts'
import { systemDisk } from '../durable/disk.ts'
import { recordingText } from '../recordingText.ts'
import { openSink, type Withheld } from './sink.ts'
import { secretsOfEnvironment } from './upstream.ts'

export type Imported = { readonly library: Library; readonly withheld: readonly Withheld[] }

/**
 * Resolves with the recording of a HAR file or raw traffic; `log` is the path of a temporary file.
 * Throws `BadTraffic`.
 */
export async function importFile(path: string, log: string): Promise<Imported> {
  const text = await recordingText(path)
  const lines = isTap(text) ? tapLines(text) : fromHar(text, (iso) => Date.parse(iso))
  const sink = openSink(log, secretsOfEnvironment(process.env))
  for (const line of lines) sink.note(line)
  const library = sink.end()
  await systemDisk.rm(log, { force: true })
  return { library, withheld: sink.withheld() }
}

function isTap(text: string): boolean {
  return /^\{"format":"tap\//.test(text)
}

function* tapLines(text: string): Generator<TapLine> {
  let index = 0
  for (const line of linesOf(text)) {
    const value = parseTraffic(line, index)
    index += 1
    if (index > 1) yield exchangeIn(value, index)
  }
}
