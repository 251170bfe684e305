/** Raw traffic of a proxy, one exchange a line, as what a recording knows. */
import { SimError } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import type { Side } from '../../node/input.ts'
import { callKey, paramsText, type Names, type SentCall } from './callKey.ts'
import { heightIn, heldOf, type Library, type Seen, type StreamEvent, type Times, type Write } from './library.ts'
import { itemTexts, memberTexts } from './slice.ts'

type Line = {
  readonly t: number; readonly iface: 'a' | 'b'; readonly kind: string; readonly conn: number
  readonly method?: string; readonly path?: string; readonly req?: string; readonly res?: string
  readonly text?: string; readonly ms?: number
}

type Draft = {
  readonly names: Names
  readonly seen: Map<string, Seen[]>
  readonly writes: Write[]
  readonly streams: Map<string, { readonly source: string; readonly at: number; readonly text: string }[]>
  readonly heads: { height: number; readonly known: { readonly height: number; readonly at: number }[] }
  /** Calls over a WebSocket that are not answered yet, by connection and id. */
  readonly asked: Map<string, { readonly call: SentCall; readonly from: number }>
  /** Keys of streams by subscription or filter id, or by connection and id on interface A. */
  readonly sources: Map<string, string>
}

/** Methods that change the chain. */
export const writes = /^(?:eth_sendRawTransaction|eth_sendTransaction|broadcast_)/

/** Returns what the traffic tells; `names` are those of positional parameters. Throws `BadTraffic`. */
export function importTap(text: string, names: Names): Library {
  const lines = text.split('\n').filter((line) => line !== '').map(parseLine)
  const draft: Draft = {
    names, seen: new Map(), writes: [], streams: new Map(), heads: { height: 0, known: [] },
    asked: new Map(), sources: new Map(),
  }
  const exchanges = lines.slice(1) as unknown as readonly Line[]
  for (const line of exchanges) {
    const side = line.iface === 'a' ? 'comet' : 'eth'
    if (line.kind === 'http') http(draft, side, line)
    if (line.kind === 'ws-in') sent(draft, side, line)
    if (line.kind === 'ws-out') received(draft, side, line)
  }
  return libraryOf(draft, Math.min(...exchanges.map(({ t }) => t)))
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

function libraryOf({ seen, writes, streams, heads }: Draft, startsAt: number): Library {
  const blocks = heads.known.map(({ at }) => at).toSorted((a, b) => a - b)
  const bounds = [...blocks, ...writes.map(({ ready }) => ready)].toSorted((a, b) => a - b)
  const receipt = (text: string) => seen.get(`eth eth_getTransactionReceipt [${text}]`)
    ?.map(({ answer }) => (answer.ok === true ? answer.text : '')).join('') ?? ''
  const causes = writes.flatMap(({ key, from, answer }) => (
    answer.ok === true ? [{ from, text: key + receipt(answer.text) }] : []))
  const times: Times = { blocks, bounds, causes: causes.toSorted((a, b) => a.from - b.from) }
  return {
    startsAt: Number.isFinite(startsAt) ? startsAt : 0,
    answers: new Map([...seen].map(([key, list]) => [key, heldOf(key, list, times)])),
    writes: writes.toSorted((a, b) => a.from - b.from),
    streams: new Map([...streams].map(([key, events]) => [key, onceEach(events, key, heads.known)])),
  }
}

type Known = readonly { readonly height: number; readonly at: number }[]

/** What two subscriptions of one kind heard is one stream. Polled changes came with their block. */
function onceEach(
  events: readonly { source: string; at: number; text: string }[], key: string, known: Known
): readonly StreamEvent[] {
  const isPolled = key.includes('Filter ')
  const owner = new Map<string, string>()
  return events.flatMap(({ source, at, text }, index) => {
    const first = owner.get(text) ?? source
    owner.set(text, first)
    if (first !== source) return []
    const fromEnd = events.slice(index + 1).filter((one) => one.at === at && one.source === source).length
    return [{ at: isPolled ? blockTime(known, { at, fromEnd, height: heightIn(text) }) : at, text }]
  }).toSorted((a, b) => a.at - b.at)
}

/** Hashes of blocks say no height: the last of a poll came with the last block before it. */
function blockTime(known: Known, { at, fromEnd, height }: { at: number; fromEnd: number; height: number }): number {
  const before = known.filter((one) => one.at <= at)
  const block = height === 0 ? before.at(-1 - fromEnd) : before.find((one) => one.height >= height)
  return block?.at ?? at
}

function http(draft: Draft, side: Side, line: Line): void {
  const { method, path = '/', req = '', res, t, ms = 0 } = line
  if (res === undefined) return
  const at = t + ms
  if (method === 'GET') {
    const [route = '', query = ''] = path.split('?')
    const pairs = query.split('&').filter((pair) => pair !== '').map((pair) => {
      const [name = '', value = ''] = pair.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.replaceAll('+', ' '))] as const
    })
    return note(draft, { side, method: route.slice(1), params: new Map(pairs) }, { from: t, at, message: memberTexts(res) })
  }
  const list = (text: string) => (text.trim().startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)
  const answers = list(res)
  const byId = new Map(answers.map((one) => [one.get('id'), one]))
  for (const one of list(req)) {
    const message = byId.get(one.get('id'))
    if (message !== undefined) note(draft, callOf(side, one), { from: t, at, message })
  }
}

function callOf(side: Side, message: ReadonlyMap<string, string>): SentCall {
  return { side, method: JSON.parse(message.get('method') ?? '""') as string, params: paramsText(message) }
}

type Told = { readonly from: number; readonly at: number; readonly message: ReadonlyMap<string, string> }

function note(draft: Draft, call: SentCall, { from, at, message }: Told): void {
  const answer = answerOf(message)
  const key = callKey(call, draft.names)
  raise(draft, message.get('result') ?? '', { at, isHead: call.method === 'eth_blockNumber' })
  if (call.side === 'eth' && noteFilter(draft, call, { at, key, answer })) return
  if (writes.test(call.method)) {
    // An answer that took long waited for a block.
    draft.writes.push({ key, from, ready: at - from > 500 ? at : from, answer })
  }
  draft.seen.set(key, [...draft.seen.get(key) ?? [], { from, at, answer }])
}

function raise({ heads }: Draft, text: string, { at, isHead }: { at: number; isHead: boolean }): void {
  const height = isHead ? Number(JSON.parse(text === '' ? '0' : text)) : heightIn(text)
  if (height <= heads.height) return
  heads.height = height
  heads.known.push({ height, at })
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
  streams.set(key, [...streams.get(key) ?? [], ...texts.map((text) => ({ source, at, text }))])
}

function answerOf(message: ReadonlyMap<string, string>): Answer {
  const error = message.get('error')
  if (error === undefined) return { ok: true, text: message.get('result') ?? 'null' }
  const members = memberTexts(error)
  const text: unknown = JSON.parse(members.get('message') ?? '""')
  return {
    ok: false, error: { code: Number(members.get('code') ?? 0), message: String(text), data: members.get('data') },
  }
}

function sent(draft: Draft, side: Side, { conn, text = '', t }: Line): void {
  for (const message of (text.startsWith('[') ? itemTexts(text) : [text]).map(memberTexts)) {
    const call = callOf(side, message)
    const id = `${conn} ${message.get('id') ?? ''}`
    draft.asked.set(id, { call, from: t })
    if (side !== 'comet' || call.method !== 'subscribe') continue
    const key = callKey(call, draft.names)
    draft.sources.set(id, key)
    if (!draft.streams.has(key)) draft.streams.set(key, [])
  }
}

function received(draft: Draft, side: Side, { conn, text = '', t }: Line): void {
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
    } else if (asked !== undefined) note(draft, asked.call, { from: asked.from, at: t, message })
  }
}

export class BadTraffic extends SimError {
  constructor(what: string, cause?: unknown) {
    super('INVALID_RECORDING', `the traffic cannot be played back: ${what}`, {
      hint: 'Record it again, or take an undamaged copy.', cause,
    })
  }
}
