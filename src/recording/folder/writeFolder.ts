/** Writes a recording as files that suit git: sorted, with one line per key (`mocks.md` §4.4). */
import { sha256Hex } from '../../crypto/hash.ts'
import { digestOf } from '../playback/draft.ts'
import { keyParts } from '../playback/callKey.ts'
import { sameAnswer, type HeldAnswer, type Library, type StreamEvent } from '../playback/library.ts'
import { writeAnswer } from './answerText.ts'
import { linesText, type RecordingFiles } from './files.ts'
import { manifestText, type RecordingOrigin } from './manifest.ts'
import { placeOf } from './places.ts'

const attributes = `order.jsonl -diff linguist-generated
*.jsonl merge=chainstage diff=chainstage
manifest.json merge=chainstage
`

/** Returns the files of a recording. Equal recordings give equal text. */
export function writeFolder(library: Library, origin: RecordingOrigin): RecordingFiles {
  const files = new Map<string, string>()
  const blobs = new Map<string, string>()
  const blob = (text: string) => {
    const digest = sha256Hex(text)
    blobs.set(`blobs/${digest.slice(0, 2)}/${digest}.json`, text)
    return digest
  }
  const lines = new Map<string, string[]>()
  for (const key of [...library.answers.keys()].toSorted(byCodeUnit)) {
    const { side, method } = keyParts(key)
    const path = `${side}/${safeName(method)}.jsonl`
    const list = lines.get(path) ?? []
    lines.set(path, list)
    list.push(keyLine(library, key, blob))
  }
  for (const [path, list] of lines) files.set(path, linesText(list))
  for (const key of library.streams.keys()) {
    files.set(streamPath(key), linesText(streamLines(library, key, blob)))
  }
  files.set('order.jsonl', linesText(orderLines(library)))
  for (const [path, text] of blobs) files.set(path, text)
  files.set('.gitattributes', attributes)
  files.set('manifest.json', manifestText(files, library, origin))
  return new Map([...files].toSorted(([a], [b]) => byCodeUnit(a, b)))
}

/** Compares two texts by UTF-16 code units. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns a file name that is valid on every system and cannot leave the folder. */
function safeName(method: string): string {
  const safe = method.replaceAll(/[^A-Za-z0-9_]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return safe.length <= 80 ? safe : `${safe.slice(0, 60)}%${sha256Hex(method).slice(0, 16)}`
}

function streamPath(key: string): string {
  const { side, method, params } = keyParts(key)
  const slug = `${method}.${params.replaceAll(/[^A-Za-z0-9_=.]+/g, '-')}`.slice(0, 48).replace(/[-.]+$/, '')
  return `streams/${side}.${slug}.${sha256Hex(key).slice(0, 8)}.jsonl`
}

function headLine(key: string): string {
  const { method, params } = keyParts(key)
  return `{"m":${JSON.stringify(method)},"p":${params}}`
}

type Blob = (text: string) => string

/** Returns the lines of a stream: its call, then its events. */
export function streamLines(library: Library, key: string, blob: Blob): readonly string[] {
  return [headLine(key), ...(library.streams.get(key) ?? []).map((one) => eventLine(library, one, blob))]
}

/**
 * Returns the line of a call. Intervals of heights are closed; the last one ends with the
 * recording.
 */
export function keyLine(library: Library, key: string, blob: Blob): string {
  const { method, params } = keyParts(key)
  const held = library.answers.get(key) ?? []
  const values = held.map((one, index) => intervalText(library, { one, next: held[index + 1] }, blob))
  const count = held.reduce((sum, one) => sum + one.count, 0)
  return `{"m":${JSON.stringify(method)},"p":${params},"v":[${values.join(',')}],"n":${count}}`
}

type Span = { readonly one: HeldAnswer; readonly next: HeldAnswer | undefined }

function intervalText(library: Library, { one, next }: Span, blob: Blob): string {
  const { height, offset } = placeOf(library, one.since)
  const end = next === undefined ? undefined : placeOf(library, next.since)
  const last = library.heads.at(-1)?.height ?? 0
  const to =
    end === undefined ? Math.max(last, height) : end.offset === 0 ? Math.max(height, end.height - 1) : end.height
  const isFromHead = offset === undefined || (offset === 0 && height > 0)
  return `[${height},${to},${writeAnswer(one.answer, blob)}${isFromHead ? '' : `,${offset}`}]`
}

function eventLine(library: Library, { at, text }: StreamEvent, blob: Blob): string {
  const { height, offset = 0 } = placeOf(library, at)
  return `[${height},${offset},${writeAnswer({ ok: true, text }, blob)}]`
}

/**
 * Returns the lines of `order.jsonl`, the only file full of times. It lists heads as they became
 * known, writes with their answers, and client calls that playback waits for.
 */
export function orderLines({ startsAt, heads, writes, asks, answers }: Library): readonly string[] {
  const known = heads.map(({ height, at }) => ({ at, text: `{"at":${at},"height":${height}}` }))
  const sent = writes.map(({ key, from, ready, answer }) => {
    const index = (answers.get(key) ?? []).findIndex((one) => sameAnswer(one.answer, answer))
    const write = digestOf(key)
    // A write without an answer has none here if the same write got one later.
    const v = index < 0 && answer.ok === undefined ? null : index
    return { at: from, text: `{"at":${from},"write":"${write}","ready":${ready},"v":${v}}` }
  })
  const seen = asks.map(({ at, digest }) => ({ at, text: `{"at":${at},"ask":"${digest}"}` }))
  const lines = [...known, ...sent, ...seen].toSorted((a, b) => a.at - b.at)
  return [`{"startsAt":${startsAt}}`, ...lines.map(({ text }) => text)]
}
