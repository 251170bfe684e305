/** Reads a packed recording and loads each text on demand. */
import { sha256Hex } from '../../crypto/hash.ts'
import { boundedCache } from '../../data/boundedCache.ts'
import type { Side } from '../../settings/side.ts'
import { readAnswer } from '../folder/answerText.ts'
import { BadRecording } from '../folder/files.ts'
import { readHeld, readLine, readOrder, readStream } from '../folder/readFolder.ts'
import { keyParts, storedKey, type ParameterNames } from '../playback/callKey.ts'
import { linesOf } from '../playback/importTap.ts'
import {
  mostKept,
  weightOf,
  type Answers,
  type HeldAnswer,
  type Library,
  type StreamEvent,
  type Streams,
  type Write,
} from '../playback/library.ts'
import { itemTexts, memberTexts } from '../playback/slice.ts'
import { nameLength, type PackIndex, type TextSpan } from './format.ts'
import { detached } from '../../data/detached.ts'

/** Returns the text of a chunk by its index. Throws `BadRecording` if it is damaged. */
export type Load = (chunk: number) => string

/** Returns the recording that an index describes. Throws `BadRecording`. */
export function readPack(index: PackIndex, load: Load, names: ParameterNames): Library {
  const text = ([chunk, from, to]: TextSpan) => (from === to ? '' : detached(load(chunk).slice(from, to)))
  const blobAt = placesOf(index.blobs, 64)
  const blob = (digest: string, where: string) => {
    const at = blobAt.get(digest)
    if (at === undefined) throw new BadRecording(where, `the blob ${digest} is missing`)
    return text(spanOf(index.blobSpans, at))
  }
  const axis = readOrder(text(index.order))
  const reading = { axis, names, blob }
  const source = (key: string, line: string) => ({ path: 'pack', side: keyParts(key).side, text: line })
  const keyAt = placesOf(index.keys, nameLength)
  const lineOf = (key: string) => {
    const at = keyAt.get(sha256Hex(key).slice(0, nameLength))
    return at === undefined ? undefined : text(spanOf(index.spans, at))
  }
  const cache = boundedCache<readonly HeldAnswer[]>(mostKept, weightOf)
  const answers: Answers = {
    size: keyAt.size,
    has: (key) => keyAt.has(sha256Hex(key).slice(0, nameLength)),
    get: (key) => {
      const known = cache.get(key)
      if (known !== undefined) return known
      const line = lineOf(key)
      if (line === undefined) return undefined
      const held = readHeld(source(key, line), reading)
      cache.set(key, held)
      return held
    },
    keys: function* () {
      for (const [name, at] of keyAt) {
        const sides = at < index.cometKeys ? (['comet'] as const) : afterComet
        const line = text(spanOf(index.spans, at))
        yield readLine('pack', line, () => keyOfLine(line, { name, sides }, names))
      }
    },
  }
  const streams = streamsOf(index, (key, span) => readStream(source(key, text(span)), reading).events)
  return {
    startsAt: axis.startsAt,
    heads: axis.heads,
    asks: axis.asks,
    answers,
    streams,
    writes: readWrites(text(index.writes), blob),
  }
}

/** The sides whose keys follow those of CometBFT RPC, in key order. */
const afterComet: readonly Side[] = ['eth', 'grpc', 'rest']

/**
 * A key to find. A line does not state its side; `name` is the start of the key's digest, as in the
 * index.
 */
type Sought = { readonly name: string; readonly sides: readonly Side[] }

function keyOfLine(line: string, { name, sides }: Sought, names: ParameterNames): string {
  const members = memberTexts(line)
  const [method, params] = [String(JSON.parse(members.get('m') ?? '""')), members.get('p') ?? '[]']
  for (const side of sides) {
    const key = storedKey({ side, method }, params, names)
    if (sha256Hex(key).startsWith(name)) return key
  }
  throw new BadRecording('pack', `the index has no call to ${method}: pack the folder again`)
}

function placesOf(joined: string, length: number): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (let at = 0; at * length < joined.length; at++) {
    places.set(joined.slice(at * length, (at + 1) * length), at)
  }
  return places
}

function spanOf(spans: readonly number[], at: number): TextSpan {
  return [spans[at * 3] ?? 0, spans[at * 3 + 1] ?? 0, spans[at * 3 + 2] ?? 0]
}

function streamsOf({ streams }: PackIndex, read: (key: string, span: TextSpan) => readonly StreamEvent[]): Streams {
  const spans = new Map(streams.map(({ key, span }) => [key, span]))
  const known = new Map<string, readonly StreamEvent[]>()
  const get = (key: string) => {
    const span = spans.get(key)
    if (span !== undefined && !known.has(key)) known.set(key, read(key, span))
    return known.get(key)
  }
  return {
    size: spans.size,
    get,
    has: (key) => spans.has(key),
    keys: () => spans.keys(),
    [Symbol.iterator]: function* () {
      for (const key of spans.keys()) yield [key, get(key) ?? []]
    },
  }
}

function readWrites(text: string, blob: (digest: string, where: string) => string): readonly Write[] {
  return [...linesOf(text)].map((line) => readLine('pack', line, () => writeIn(line, blob)))
}

function writeIn(line: string, blob: (digest: string, where: string) => string): Write {
  const [key = '""', from = '0', ready = '0', answer = 'null'] = itemTexts(line)
  return {
    key: String(JSON.parse(key)),
    from: Number(from),
    ready: Number(ready),
    answer: readAnswer(answer, (digest) => blob(digest, 'pack')),
  }
}
