/** Writes a recording as chunks and an index. The caller compresses and stores the chunks. */
import { sha256Hex } from '../../crypto/hash.ts'
import { writeAnswer } from '../folder/answerText.ts'
import { linesText } from '../folder/files.ts'
import type { RecordingOrigin } from '../folder/manifest.ts'
import { byCodeUnit, keyLine, orderLines, streamLines } from '../folder/writeFolder.ts'
import type { Library } from '../playback/library.ts'
import { chunkSize, nameLength, type Chunk, type PackIndex, type TextSpan } from './format.ts'

/** Stores the text of a chunk and returns its position. */
export type StoreChunk = (text: string) => Pick<Chunk, 'at' | 'length'>

/** Stores all chunks of a recording and returns its index. */
export function writePack(
  library: Library,
  { version, recordedAt, level }: RecordingOrigin,
  store: StoreChunk,
): PackIndex {
  const chunks: Chunk[] = []
  let texts: string[] = []
  let size = 0
  const flush = () => {
    if (size === 0) return
    const text = texts.join('')
    chunks.push({ ...store(text), digest: sha256Hex(text) })
    texts = []
    size = 0
  }
  const put = (text: string): TextSpan => {
    if (size >= chunkSize) flush()
    const span: TextSpan = [chunks.length, size, size + text.length]
    texts.push(text)
    size += text.length
    return span
  }
  const [blobs, keys, spans, blobSpans]: [Map<string, TextSpan>, string[], number[], number[]] = [new Map(), [], [], []]
  const blob = (text: string) => {
    const digest = sha256Hex(text)
    if (!blobs.has(digest)) blobs.set(digest, put(text))
    return digest
  }
  let cometKeys = 0
  for (const key of [...library.answers.keys()].toSorted(byCodeUnit)) {
    if (key.startsWith('comet ')) cometKeys += 1
    spans.push(...put(`${keyLine(library, key, blob)}\n`))
    keys.push(sha256Hex(key).slice(0, nameLength))
  }
  const streams = [...library.streams.keys()].toSorted(byCodeUnit).map((key) => ({
    key,
    span: put(linesText(streamLines(library, key, blob))),
  }))
  const order = put(linesText(orderLines({ ...library, writes: [] })))
  const writes = put(
    linesText(
      library.writes.map(
        ({ key, from, ready, answer }) => `[${JSON.stringify(key)},${from},${ready},${writeAnswer(answer, blob)}]`,
      ),
    ),
  )
  flush()
  for (const span of blobs.values()) blobSpans.push(...span)
  return {
    format: 1,
    keyAlg: 1,
    version,
    recordedAt,
    level,
    chunks,
    keys: keys.join(''),
    spans,
    cometKeys,
    blobs: [...blobs.keys()].join(''),
    blobSpans,
    streams,
    order,
    writes,
  }
}
