/**
 * The lines of a log file. Each begins with the CRC-32 of all that follows it except its line end:
 *
 *     1c291ca3 snapshot 0 0 9f86d081… 1 0.3.0
 *     5d41402a input 1 0 {"input":{…},…}
 *     7d793037 input 2 1 {"input":{…},…}
 *
 * The first number is that of the entry, or of the last entry that a snapshot contains. The second
 * is that of the last acknowledged entry when the line was written. So a reader can tell a line
 * that a crash has torn, which nobody relies on, from one that was damaged later.
 *
 * A snapshot is named by its digest, format of the log and version of chainstage. `replaced` is
 * written before a snapshot that takes the place of the chain so far, as loading a checkpoint does.
 */
import { crc32 } from 'node:zlib'

export type LogLine = {
  readonly kind: 'input' | 'snapshot' | 'replaced'
  readonly sequence: number
  readonly acknowledged: number
  readonly text: string
}

const shape = /^(input|snapshot|replaced) (\d{1,15}) (\d{1,15}) (.*)$/s
const sumLength = 8

/** Returns a line with its end. The text has no line end. */
export function logLine({ kind, sequence, acknowledged, text }: LogLine): string {
  const content = `${kind} ${sequence} ${acknowledged} ${text}`
  return `${sumOf(content)} ${content}\n`
}

/** Returns what a line without its end says; undefined for a damaged one. */
export function readLogLine(line: string): LogLine | undefined {
  const content = line.slice(sumLength + 1)
  if (line.slice(0, sumLength + 1) !== `${sumOf(content)} `) return undefined
  const [, kind, sequence, acknowledged, text = ''] = shape.exec(content) ?? []
  if (kind === undefined) return undefined
  return { kind: kind as LogLine['kind'], sequence: Number(sequence), acknowledged: Number(acknowledged), text }
}

function sumOf(content: string): string {
  return crc32(content).toString(16).padStart(sumLength, '0')
}
