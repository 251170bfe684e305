/**
 * The lines of a log file. Each begins with the CRC-32 of its remaining text, without the newline:
 *
 *     1c291ca3 snapshot 0 0 9f86d081… 1 0.3.0
 *     5d41402a input 1 0 {"input":{…},…}
 *     7d793037 input 2 1 {"input":{…},…}
 *
 * The first number is the entry, or the last entry that a snapshot contains. The second is the
 * last acknowledged entry when the line was written. It lets a reader distinguish a line torn by a
 * crash, which was never acknowledged, from one that was damaged later.
 *
 * A snapshot line has the snapshot's digest, the log format and the version of chainstage. A
 * `replaced` line precedes a snapshot that replaces the chain, as when a checkpoint is loaded.
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

/** Returns a line with its newline. `text` must not contain a newline. */
export function logLine({ kind, sequence, acknowledged, text }: LogLine): string {
  const content = `${kind} ${sequence} ${acknowledged} ${text}`
  return `${sumOf(content)} ${content}\n`
}

/** Parses a line without its newline; returns undefined if it is damaged. */
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
