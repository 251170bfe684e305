import { readChunks, type Disk } from '../durable/disk.ts'

/** A line with the offsets of its first byte and of the byte after its end. */
export type Line = { readonly text: string; readonly from: number; readonly to: number }

const lineEnd = 10

/**
 * The lines of a file from an offset on, without holding more than one of them. What follows the
 * last line end is no line.
 */
export async function* readLines(disk: Disk, path: string, start = 0): AsyncIterable<Line> {
  let parts: Buffer[] = []
  let from = start
  let at = start
  for await (const chunk of readChunks(disk, path, { from: start })) {
    let begin = 0
    for (let end = chunk.indexOf(lineEnd); end >= 0; end = chunk.indexOf(lineEnd, begin)) {
      parts.push(chunk.subarray(begin, end))
      const to = at + end + 1
      yield { text: Buffer.concat(parts).toString(), from, to }
      parts = []
      from = to
      begin = end + 1
    }
    if (begin < chunk.length) parts.push(chunk.subarray(begin))
    at += chunk.length
  }
}
