/** What was read of traffic so far: answers, writes, streams, heads, each as it was seen. */
import { sha256OfText } from '../../crypto/hash.ts'
import type { Answer } from '../../node/answer.ts'
import { callKey, keyParts, type Names, type SentCall } from './callKey.ts'
import { isSteady } from './asks.ts'
import { heightIn, saysSame, type Ask, type Run, type Write } from './library.ts'
import type { Told } from './libraryOf.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** A call over a WebSocket that is not answered yet. */
export type Open = { readonly call: SentCall; readonly from: number }

export type Draft = {
  readonly names: Names
  readonly seen: Map<string, Run[]>
  readonly writes: Write[]
  readonly streams: Map<string, Told[]>
  readonly heads: {
    height: number
    readonly known: { readonly height: number; readonly at: number }[]
  }
  /** Calls over WebSockets that are not answered yet, by connection and id, the oldest first. */
  readonly open: Map<string, Open[]>
  /** Keys of streams by subscription or filter id, or by connection and id on interface A. */
  readonly sources: Map<string, string>
  readonly asks: Ask[]
  /** How many calls each connection has made. */
  readonly calls: Map<number, number>
  /** Ids of filters and subscriptions that were taken away. */
  readonly gone: Set<string>
}

/** Returns a draft before the first line. */
export function emptyDraft(names: Names): Draft {
  return {
    names, seen: new Map(), writes: [], streams: new Map(), heads: { height: 0, known: [] },
    open: new Map(), sources: new Map(), asks: [], calls: new Map(), gone: new Set(),
  }
}

/** Methods that change the chain. */
export const writes = /^(?:eth_sendRawTransaction|eth_sendTransaction|broadcast_)/

/** Times stand on a grid of tenths of a millisecond: they survive being added and taken apart. */
export function tenths(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** Returns the answer in a response; result and data keep their text. */
export function answerOf(message: ReadonlyMap<string, string>): Answer {
  const error = message.get('error')
  if (error === undefined) return { ok: true, text: message.get('result') ?? 'null' }
  const members = memberTexts(error)
  const text: unknown = JSON.parse(members.get('message') ?? '""')
  return {
    ok: false,
    error: {
      code: Number(members.get('code') ?? 0), message: String(text), data: members.get('data'),
    },
  }
}

/**
 * The first calls of a connection tell that its client is there; all others depend on how it runs.
 */
const arrivals = 4
const mostAsks = 1000

/** Notes that a call was made, before it is known what came of it. */
export function asked(
  draft: Draft, call: SentCall, { conn, t }: { conn: number; t: number },
): void {
  const count = draft.calls.get(conn) ?? 0
  draft.calls.set(conn, count + 1)
  if (count >= arrivals || draft.asks.length >= mostAsks) return
  const key = callKey(call, draft.names)
  if (draft.seen.has(key) || draft.streams.has(key)) return
  if (writes.test(call.method) || !isSteady(key, draft.heads.height)) return
  const digest = digestOf(key)
  if (!draft.asks.some((one) => one.digest === digest)) draft.asks.push({ at: t, digest })
}

/** Returns the short name of a call in files. */
export function digestOf(key: string): string {
  return sha256OfText(key).slice(0, 16)
}

type Heard = {
  readonly from: number
  readonly at: number
  readonly message: ReadonlyMap<string, string>
}

/** Notes the answer to a call that came at a moment. */
export function note(draft: Draft, call: SentCall, { from, at, message }: Heard): void {
  const answer = answerOf(message)
  const key = keyIn(draft, call)
  const isHead = call.method === 'eth_blockNumber'
  raise(draft, message.get('result') ?? '', { at, isHead })
  if (call.side === 'eth' && answer.ok === true && noteFilter(draft, call, { at, key, answer })) {
    return
  }
  if (writes.test(call.method)) {
    // An answer that took long waited for a block.
    draft.writes.push({ key, from, ready: at - from > 500 ? at : from, answer })
  }
  // A refusal that repeats the id is said anew.
  const isOfOne = key.endsWith(' ["gone"]') && answer.ok === false
    && answer.error.message.includes('0x')
  if (!isOfOne) saw(draft.seen, key, { at, answer })
}

/** Notes a call whose client left before it was answered, or whose connection ended. */
export function noteUnanswered(
  draft: Draft, call: SentCall, { from, at }: Omit<Heard, 'message'>,
): void {
  const key = keyIn(draft, call)
  if (writes.test(call.method)) {
    draft.writes.push({ key, from, ready: from, answer: { ok: undefined } })
  }
  if (!draft.seen.has(key)) saw(draft.seen, key, { at, answer: { ok: undefined } })
}

/** The same answer again is no other answer; an answer that came later takes the place of none. */
function saw(seen: Draft['seen'], key: string, { at, answer }: Pick<Run, 'at' | 'answer'>): void {
  const runs = seen.get(key)
  const last = runs?.at(-1)
  if (last !== undefined && saysSame(key, last.answer, answer)) {
    last.lastAt = at
    last.count += 1
  } else if (runs === undefined || last?.answer.ok === undefined) {
    seen.set(key, [{ at, lastAt: at, count: 1, answer }])
  } else runs.push({ at: Math.max(at, last.lastAt), lastAt: at, count: 1, answer })
}

/** Notes the greatest height that a text tells of. */
export function raise(
  { heads }: Draft, text: string, { at, isHead }: { at: number; isHead: boolean },
): void {
  const height = isHead ? Number(JSON.parse(text === '' ? '0' : text)) : heightIn(text)
  if (height <= heads.height) return
  heads.height = height
  heads.known.push({ height, at: Math.max(at, heads.known.at(-1)?.at ?? at) })
}

/**
 * Ids of filters and subscriptions are the node's own: the key says what the one meant listens to.
 */
function keyIn({ names, sources, gone }: Draft, call: SentCall): string {
  if (!ofListening.test(call.method) || call.side !== 'eth') return callKey(call, names)
  const [id = ''] = itemTexts(String(call.params))
  const source = sources.get(id)
  return source === undefined && !gone.has(id)
    ? callKey(call, names)
    : listeningKey(call.method, source)
}

/** Calls about something that a client listens to, by its id. */
export const ofListening = /^eth_(?:getFilterChanges|getFilterLogs|uninstallFilter|unsubscribe)$/

/** Returns the key of a call about what is listened to; without one, about what is not there. */
export function listeningKey(method: string, source: string | undefined): string {
  return `eth ${method} ${source === undefined ? '["gone"]' : keyParts(source).params}`
}

type Noted = {
  readonly at: number
  readonly key: string
  readonly answer: Extract<Answer, { ok: true }>
}

/** Filters are streams. */
function noteFilter(
  draft: Draft, { method, params }: SentCall, { at, key, answer }: Noted,
): boolean {
  if (/^eth_new\w*Filter$/.test(method)) {
    draft.sources.set(answer.text, key)
    begin(draft, key)
    return true
  }
  const [source = ''] = itemTexts(String(params))
  const isThere = draft.sources.has(source)
  if (method === 'eth_getFilterChanges') {
    addEvents(draft, { source, at, texts: itemTexts(answer.text) })
  }
  if (method === 'eth_uninstallFilter' || method === 'eth_unsubscribe') forget(draft, source)
  return isThere && /^eth_(?:getFilterChanges|uninstallFilter|unsubscribe)$/.test(method)
}

function forget({ sources, gone }: Draft, id: string): void {
  if (sources.delete(id)) gone.add(id)
}

/** Begins a stream, which may have begun before. */
export function begin({ streams }: Draft, key: string): void {
  if (!streams.has(key)) streams.set(key, [])
}

type Events = { readonly source: string; readonly at: number; readonly texts: readonly string[] }

/** Adds to a stream what one that listens to it was told. */
export function addEvents({ sources, streams }: Draft, { source, at, texts }: Events): void {
  const key = sources.get(source)
  const events = key === undefined ? undefined : streams.get(key)
  for (const text of texts) events?.push({ source, at, text })
}
