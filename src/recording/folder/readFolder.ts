/** Reads a recording from its files (`mocks.md` §4.4). */
import type { Answer } from '../../node/answer.ts'
import { membersOf } from '../../data/members.ts'
import type { Side } from '../../settings/side.ts'
import { digestOf } from '../playback/draft.ts'
import { storedKey, type ParameterNames } from '../playback/callKey.ts'
import { callHas } from '../playback/callTraits.ts'
import { linesOf } from '../playback/importTap.ts'
import type { Answers, Ask, Head, HeldAnswer, Library, StreamEvent, Write } from '../playback/library.ts'
import { itemTexts, memberTexts } from '../playback/slice.ts'
import { readAnswer } from './answerText.ts'
import { answersSide, BadRecording, streamSide, type RecordingFiles } from './files.ts'
import { breaksOf } from './manifest.ts'
import { momentOf, type Axis } from './places.ts'

/** Returns a recording. Throws `BadRecording` for the first wrong digest, line or blob. */
export function readFolder(files: RecordingFiles, names: ParameterNames): Library {
  const [broken] = breaksOf(files)
  if (broken !== undefined) throw broken
  const blob = (digest: string, where: string) => {
    const text = files.get(`blobs/${digest.slice(0, 2)}/${digest}.json`)
    if (text === undefined) throw new BadRecording(where, `the blob ${digest} is missing`)
    return text
  }
  const order = readOrder(files.get('order.jsonl') ?? '')
  const answers = new Map<string, readonly HeldAnswer[]>()
  const streams = new Map<string, readonly StreamEvent[]>()
  for (const [path, text] of files) {
    const [stream, side] = [streamSide(path), answersSide(path)]
    if (stream !== undefined) {
      const read = readStream({ path, text, side: stream }, { axis: order, names, blob })
      streams.set(read.key, read.events)
    }
    if (side === undefined) continue
    for (const line of linesOf(text)) {
      const { key, held } = readKeyLine({ path, text: line, side }, { axis: order, names, blob })
      if (answers.has(key)) {
        throw new BadRecording(path, `two lines record the same call: ${key.slice(0, 200)}`)
      }
      answers.set(key, held)
    }
  }
  const { startsAt, heads, asks } = order
  return { startsAt, heads, asks, answers, streams, writes: writesOf(order.writes, answers) }
}

type Source = { readonly path: string; readonly text: string; readonly side: Side }

/** The context for reading lines: time axis, parameter names and blobs. */
export type Reading = {
  readonly axis: Axis
  readonly names: ParameterNames
  readonly blob: (digest: string, where: string) => string
}

/** Returns what `read` makes of a line. Throws `BadRecording` if the line is not JSON. */
export function readLine<Value>(path: string, line: string, read: () => Value): Value {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause
    throw new BadRecording(path, `cannot read the line ${line.slice(0, 80)}`, cause)
  }
}

/** Returns the call of a line and its answers. Throws `BadRecording`. */
function readKeyLine(source: Source, reading: Reading): { key: string; held: readonly HeldAnswer[] } {
  return { key: keyIn(source, reading.names), held: readHeld(source, reading) }
}

/** Returns the answers to the call of a line. Throws `BadRecording`. */
export function readHeld(source: Source, reading: Reading): readonly HeldAnswer[] {
  return readLine(source.path, source.text, () => heldIn(source, reading))
}

function heldIn({ path, text }: Source, { axis, blob }: Reading): readonly HeldAnswer[] {
  const members = memberTexts(text)
  const count = Number(members.get('n') ?? 0)
  return itemTexts(members.get('v') ?? '').map((interval, index) => {
    const [height, , value, offset] = itemTexts(interval)
    if (height === undefined || value === undefined) {
      throw new BadRecording(path, `expected an interval, received ${interval.slice(0, 80)}`)
    }
    const place = {
      height: Number(height),
      offset: offset === undefined ? zeroOffset(height) : Number(offset),
    }
    return {
      since: momentOf(axis, place),
      answer: readAnswer(value, (digest) => blob(digest, path)),
      count: index === 0 ? count : 0,
    }
  })
}

function zeroOffset(height: string): number | undefined {
  return height === '0' ? undefined : 0
}

function keyIn({ path, side, text }: Source, names: ParameterNames): string {
  const members = readLine(path, text, () => memberTexts(text))
  const [method, params] = [members.get('m'), members.get('p')]
  if (method === undefined || params === undefined) {
    throw new BadRecording(path, `expected a line with a call, received ${text.slice(0, 80)}`)
  }
  try {
    return storedKey({ side, method: String(JSON.parse(method)) }, params, names)
  } catch (cause) {
    throw new BadRecording(path, `cannot read the line ${text.slice(0, 80)}`, cause)
  }
}

/** Returns the events of a stream. Throws `BadRecording`. */
export function readStream(
  source: Source,
  { axis, names, blob }: Reading,
): { key: string; events: readonly StreamEvent[] } {
  const [first = '', ...rest] = linesOf(source.text)
  const events = rest.map((line) => {
    const [height, offset, value] = itemTexts(line)
    if (value === undefined) throw new BadRecording(source.path, `expected an event, received ${line.slice(0, 80)}`)
    const answer = readLine(source.path, line, () => readAnswer(value, (digest) => blob(digest, source.path)))
    if (answer.ok !== true) throw new BadRecording(source.path, `expected an event, received ${line.slice(0, 80)}`)
    return {
      at: momentOf(axis, { height: Number(height), offset: Number(offset) }),
      text: answer.text,
    }
  })
  return { key: keyIn({ ...source, text: first }, names), events }
}

type SentWrite = {
  readonly at: number
  readonly write: string
  readonly ready: number
  /** The index of the answer; null if there was none. */
  readonly v: number | null
}
export type Order = Axis & { readonly writes: readonly SentWrite[]; readonly asks: readonly Ask[] }

type OrderLine = {
  readonly startsAt?: number
  readonly at?: number
  readonly height?: number
  readonly write?: string
  readonly ready?: number
  readonly v?: number | null
  readonly ask?: string
}

/** Returns the times of heads, writes and awaited calls. Throws `BadRecording`. */
export function readOrder(text: string): Order {
  const heads: Head[] = []
  const writes: SentWrite[] = []
  const asks: Ask[] = []
  let startsAt = 0
  for (const line of linesOf(text)) {
    const value: OrderLine = readLine('order.jsonl', line, () => membersOf(JSON.parse(line)))
    const { at = 0, height, write, ask, ready = at, v = 0 } = value
    if (value.startsAt !== undefined) startsAt = value.startsAt
    if (height !== undefined) heads.push({ height, at })
    if (write !== undefined) writes.push({ at, write, ready, v })
    if (ask !== undefined) asks.push({ at, digest: ask })
  }
  return { startsAt, heads, writes, asks }
}

/** Returns the writes with their answers, without those whose answer is no longer recorded. */
function writesOf(sent: readonly SentWrite[], answers: Answers): readonly Write[] {
  const wanted = new Set(sent.map(({ write }) => write))
  const keys = new Map<string, string>()
  for (const key of wanted.size === 0 ? [] : answers.keys()) {
    if (!callHas(key, 'submits')) continue
    const digest = digestOf(key)
    if (wanted.has(digest)) keys.set(digest, key)
  }
  return sent.flatMap(({ at, write, ready, v }) => {
    const key = keys.get(write)
    const held = key === undefined ? [] : (answers.get(key) ?? [])
    const answer: Answer | undefined = v === null ? { ok: undefined } : held[v]?.answer
    return key === undefined || answer === undefined ? [] : [{ key, from: at, ready, answer }]
  })
}
