import { readChunks, type Disk } from '../durable/disk.ts'

/** A line, with the offsets of its first byte and of the byte after its newline. */
export type Line = { readonly text: string; readonly from: number; readonly to: number }

const lineEnd = 10

/**
 * Yields the lines of a file from an offset, and holds only one of them in memory. Text after the
 * last newline is ignored.
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
