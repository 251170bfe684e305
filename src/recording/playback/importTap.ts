/** Raw traffic of a proxy, one exchange a line, as what a recording knows. */
import { SimError } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../node/input.ts'
import { callKey, paramsText, type Names, type SentCall } from './callKey.ts'
import { redactCall } from '../redact/call.ts'
import { heightIn, saysSame, type Library, type Run, type Write } from './library.ts'
import { libraryOf, type Told } from './libraryOf.ts'
import { itemTexts, memberTexts } from './slice.ts'
import type { TapLine } from './tapLine.ts'

/** What was read so far. */
type Draft = {
  readonly names: Names
  readonly seen: Map<string, Run[]>
  readonly writes: Write[]
  readonly streams: Map<string, Told[]>
  readonly heads: { height: number; readonly known: { readonly height: number; readonly at: number }[] }
  /** Calls over a WebSocket that are not answered yet, by connection and id. */
  readonly asked: Map<string, { readonly call: SentCall; readonly from: number }>
  /** Keys of streams by subscription or filter id, or by connection and id on interface A. */
  readonly sources: Map<string, string>
}

/** Methods that change the chain. */
export const writes = /^(?:eth_sendRawTransaction|eth_sendTransaction|broadcast_)/

/** Reads traffic line by line; `library` is what it tells up to there. */
export type Importer = {
  /** Takes the next line; the first says the format. Throws `BadTraffic`. */
  readonly line: (text: string) => void
  readonly library: () => Library
}

/** Returns a reader before its first line; `names` are those of positional parameters. */
export function createImporter(names: Names): Importer {
  const draft: Draft = {
    names, seen: new Map(), writes: [], streams: new Map(), heads: { height: 0, known: [] },
    asked: new Map(), sources: new Map(),
  }
  let count = 0
  let startsAt = Infinity
  return {
    line: (text) => {
      const value = parseLine(text, count)
      count += 1
      if (count === 1) return
      const line = value as TapLine
      startsAt = Math.min(startsAt, line.t)
      take(draft, line)
    },
    library: () => libraryOf({
      ...draft, known: draft.heads.known, startsAt: Number.isFinite(startsAt) ? startsAt : 0,
    }),
  }
}

/** Returns what traffic tells, in time linear in its length. Throws `BadTraffic`. */
export function importTap(text: string, names: Names): Library {
  const importer = createImporter(names)
  for (const line of linesOf(text)) importer.line(line)
  return importer.library()
}

/** What a log says whose writer may have been stopped at any moment. */
export type Log = {
  readonly library: Library
  readonly exchanges: number
  /** When the last whole exchange ended, in ms. */
  readonly endsAt: number
  /** How many bytes at the end are no whole line. */
  readonly cutOff: number
}

/** Returns what stands in a log up to its last whole line. Throws `BadTraffic` for damage before that. */
export function importLog(text: string, names: Names): Log {
  const importer = createImporter(names)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  let exchanges = -1
  let endsAt = 0
  for (const line of linesOf(whole)) {
    importer.line(line)
    exchanges += 1
    const { t = 0, ms = 0 } = JSON.parse(line) as Partial<TapLine>
    endsAt = Math.max(endsAt, tenths(t + ms))
  }
  if (exchanges < 0) throw new BadTraffic('nothing was written before it was stopped')
  return { library: importer.library(), exchanges, endsAt, cutOff: text.length - whole.length }
}

/** Yields the lines that are not empty, without copying the text. */
export function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    if (line !== '') yield line
    if (end < 0) return
    from = end + 1
  }
}

/** Times stand on a grid of tenths of a millisecond, so that they survive being added and taken apart. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

function take(draft: Draft, line: TapLine): void {
  const side = line.iface === 'a' ? 'comet' : 'eth'
  if (line.kind === 'head') raise(draft, `"height":"${line.height ?? 0}"`, { at: line.t, isHead: false })
  if (line.kind === 'http') http(draft, side, line)
  if (line.kind === 'ws-in') sent(draft, side, line)
  if (line.kind === 'ws-out') received(draft, side, line)
}

function parseLine(line: string, index: number): unknown {
  try {
    const value: unknown = JSON.parse(line)
    const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : ''
    if (index > 0 || format === 'tap/1') return value
  } catch (cause) {
    throw new BadTraffic(`line ${index + 1} is no JSON: the file is cut off or damaged`, cause)
  }
  throw new BadTraffic('the first line does not say format tap/1')
}

function http(draft: Draft, side: Side, line: TapLine): void {
  const { method, path = '/', req = '', res, t, ms = 0 } = line
  if (res === undefined) return
  const at = tenths(t + ms)
  if (method === 'GET') {
    const [route = '', query = ''] = path.split('?')
    const pairs = query.split('&').filter((pair) => pair !== '').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.replaceAll('+', ' '))] as const
    })
    const call: SentCall = { side, method: route.slice(1), params: new Map(pairs) }
    return note(draft, redactCall(call, draft.names), { from: t, at, message: memberTexts(res) })
  }
  const list = (text: string) => (text.trim().startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)
  const answers = list(res)
  const byId = new Map(answers.map((one) => [one.get('id'), one]))
  for (const one of list(req)) {
    const message = byId.get(one.get('id'))
    if (message !== undefined) note(draft, callOf(side, one, draft.names), { from: t, at, message })
  }
}

function callOf(side: Side, message: ReadonlyMap<string, string>, names: Names): SentCall {
  const method = String(JSON.parse(message.get('method') ?? '""'))
  return redactCall({ side, method, params: paramsText(message) }, names)
}

type Heard = { readonly from: number; readonly at: number; readonly message: ReadonlyMap<string, string> }

function note(draft: Draft, call: SentCall, { from, at, message }: Heard): void {
  const answer = answerOf(message)
  const key = callKey(call, draft.names)
  raise(draft, message.get('result') ?? '', { at, isHead: call.method === 'eth_blockNumber' })
  if (call.side === 'eth' && noteFilter(draft, call, { at, key, answer })) return
  if (writes.test(call.method)) {
    // An answer that took long waited for a block.
    draft.writes.push({ key, from, ready: at - from > 500 ? at : from, answer })
  }
  saw(draft.seen, key, { at, answer })
}

/** The same answer again is no other answer. */
function saw(seen: Draft['seen'], key: string, { at, answer }: Pick<Run, 'at' | 'answer'>): void {
  const runs = seen.get(key)
  const last = runs?.at(-1)
  if (last !== undefined && saysSame(key, last.answer, answer)) {
    last.lastAt = at
    last.count += 1
  } else if (runs === undefined) seen.set(key, [{ at, lastAt: at, count: 1, answer }])
  else runs.push({ at: Math.max(at, last?.lastAt ?? at), lastAt: at, count: 1, answer })
}

function raise({ heads }: Draft, text: string, { at, isHead }: { at: number; isHead: boolean }): void {
  const height = isHead ? Number(JSON.parse(text === '' ? '0' : text)) : heightIn(text)
  if (height <= heads.height) return
  heads.height = height
  heads.known.push({ height, at: Math.max(at, heads.known.at(-1)?.at ?? at) })
}

/** Filters are streams: their ids are the node's own. */
function noteFilter(draft: Draft, call: SentCall, { at, key, answer }: { at: number; key: string; answer: Answer }): boolean {
  if (answer.ok !== true) return false
  if (/^eth_new\w*Filter$/.test(call.method)) {
    draft.sources.set(answer.text, key)
    if (!draft.streams.has(key)) draft.streams.set(key, [])
    return true
  }
  if (call.method !== 'eth_getFilterChanges') return call.method === 'eth_uninstallFilter'
  const [source = ''] = itemTexts(String(call.params))
  addEvents(draft, { source, at, texts: itemTexts(answer.text) })
  return true
}

function addEvents({ sources, streams }: Draft, { source, at, texts }: { source: string; at: number; texts: readonly string[] }): void {
  const key = sources.get(source)
  if (key === undefined) return
  const events = streams.get(key) ?? []
  streams.set(key, events)
  for (const text of texts) events.push({ source, at, text })
}

/** Returns the answer in a response; result and data keep their text. */
export function answerOf(message: ReadonlyMap<string, string>): Answer {
  const error = message.get('error')
  if (error === undefined) return { ok: true, text: message.get('result') ?? 'null' }
  const members = memberTexts(error)
  const text: unknown = JSON.parse(members.get('message') ?? '""')
  return {
    ok: false, error: { code: Number(members.get('code') ?? 0), message: String(text), data: members.get('data') },
  }
}

function sent(draft: Draft, side: Side, { conn, text = '', t }: TapLine): void {
  for (const message of (text.startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)) {
    const call = callOf(side, message, draft.names)
    const id = `${conn} ${message.get('id') ?? ''}`
    draft.asked.set(id, { call, from: t })
    if (side !== 'comet' || call.method !== 'subscribe') continue
    const key = callKey(call, draft.names)
    draft.sources.set(id, key)
    if (!draft.streams.has(key)) draft.streams.set(key, [])
  }
}

function received(draft: Draft, side: Side, { conn, text = '', t }: TapLine): void {
  for (const message of (text.startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)) {
    const id = `${conn} ${message.get('id') ?? ''}`
    const asked = draft.asked.get(id)
    const pushed = memberTexts(message.get('params') ?? '')
    const result = pushed.get('result') ?? message.get('result') ?? ''
    if (pushed.size > 0 || (side === 'comet' && draft.sources.has(id))) {
      raise(draft, result, { at: t, isHead: false })
      if (result !== '{}') addEvents(draft, { source: pushed.get('subscription') ?? id, at: t, texts: [result] })
    } else if (asked?.call.method === 'eth_subscribe' && message.has('result')) {
      const key = callKey(asked.call, draft.names)
      draft.sources.set(result, key)
      if (!draft.streams.has(key)) draft.streams.set(key, [])
    } else if (asked !== undefined) {
      draft.asked.delete(id)
      note(draft, asked.call, { from: asked.from, at: t, message })
    }
  }
}

export class BadTraffic extends SimError {
  constructor(what: string, cause?: unknown) {
    super('INVALID_RECORDING', `the traffic cannot be played back: ${what}`, {
      hint: 'Record it again, or take an undamaged copy.', cause,
    })
  }
}
