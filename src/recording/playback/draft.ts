/** What was read of traffic so far: answers, writes, streams, heads, each as it was seen. */
import { sha256OfText } from '../../crypto/hash.ts'
import type { Answer } from '../../node/answer.ts'
import { hasTrait } from '../../rpc/sides.ts'
import { callKey, isCallTo, keyOf, keyOfOther, type Names, type SentCall } from './callKey.ts'
import { callHas, isAboutHead } from './callTraits.ts'
import { arrivals, isSteady, type NotedAsk } from './asks.ts'
import type { HeightSeen } from './headTimes.ts'
import { headIn, heightIn, heightTold, saysSame, type Asked, type Run, type Write } from './library.ts'
import type { Told } from './libraryOf.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** What a connection did: how many calls it made, and when it was last answered and told an event. */
type Connection = { calls: number; answered: number; told: number }

/** A call over a WebSocket that is not answered yet. */
export type Open = { readonly call: SentCall; readonly from: number }

export type Draft = {
  readonly names: Names
  readonly seen: Map<string, Run[]>
  readonly writes: Write[]
  readonly streams: Map<string, Told[]>
  readonly heads: {
    height: number
    /** Heights as they became known, rising. */
    readonly known: HeightSeen[]
    /** Heights that answers named as the head. */
    readonly tips: HeightSeen[]
  }
  /** Calls over WebSockets that are not answered yet, by connection and id, the oldest first. */
  readonly open: Map<string, Open[]>
  /** Keys of streams by subscription or filter id, or by connection and id on CometBFT RPC. */
  readonly sources: Map<string, string>
  /** When subscriptions were asked for that have heard of no block yet, by what `sources` has. */
  readonly began: Map<string, number>
  readonly asks: NotedAsk[]
  readonly connections: Map<number, Connection>
  /** Ids of filters and subscriptions that were taken away. */
  readonly gone: Set<string>
}

/** Returns a draft before the first line. */
export function emptyDraft(names: Names): Draft {
  return {
    names,
    seen: new Map(),
    writes: [],
    streams: new Map(),
    heads: { height: 0, known: [], tips: [] },
    open: new Map(),
    sources: new Map(),
    began: new Map(),
    asks: [],
    connections: new Map(),
    gone: new Set(),
  }
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
      code: Number(members.get('code') ?? 0),
      message: String(text),
      data: members.get('data'),
    },
  }
}

/** Clients have connections above this one, under which a recorder notes what it asks itself. */
const recorder = 0

/** How many calls are noted as signs of how far clients are. */
const mostAsks = 10_000

/**
 * Notes that a call was made, before its answer is known. Calls that a client makes at any speed
 * show how far it is; `isArrival` marks the first ones of a connection.
 */
export function asked(draft: Draft, call: SentCall, { conn, t }: { conn: number; t: number }): void {
  const count = connectionOf(draft, conn).calls++
  if (conn <= recorder || draft.asks.length >= mostAsks || hasTrait(call, 'submits')) return
  const key = callKey(call, draft.names)
  if (!isSteady(key, draft.heads.height)) return
  draft.asks.push({ at: t, digest: digestOf(key), isArrival: count < arrivals })
}

/** Returns what a connection did so far. */
export function connectionOf({ connections }: Draft, conn: number): Connection {
  const known = connections.get(conn) ?? { calls: 0, answered: -Infinity, told: -Infinity }
  connections.set(conn, known)
  return known
}

/** Returns the short name of a call in files. */
export function digestOf(key: string): string {
  return sha256OfText(key).slice(0, 16)
}

type Heard = {
  readonly from: number
  readonly at: number
  /** When the connection was last told an event. */
  readonly told?: number
  readonly message: ReadonlyMap<string, string>
}

/** Notes the answer to a call that came at a moment. */
export function note(draft: Draft, call: SentCall, { from, at, told = -Infinity, message }: Heard): void {
  const answer = answerOf(message)
  const key = keyIn(draft, call)
  noteHeights(draft, key, { from, at, answer })
  if (call.side === 'eth' && answer.ok === true && noteFilter(draft, call, { at, key, answer })) {
    return
  }
  if (hasTrait(call, 'submits')) {
    // An answer that took long waited for a block, and so did one that came after an event.
    draft.writes.push({ key, from, ready: at - from > 500 || told >= from ? at : from, answer })
  }
  // A refusal that repeats the id is said anew.
  const isOfOne = key.endsWith(' ["gone"]') && answer.ok === false && answer.error.message.includes('0x')
  if (!isOfOne) saw(draft.seen, key, { from, at, answer })
}

/** Notes a call whose client left before it was answered, or whose connection ended. */
export function noteUnanswered(draft: Draft, call: SentCall, { from, at }: Asked): void {
  const key = keyIn(draft, call)
  if (hasTrait(call, 'submits')) {
    draft.writes.push({ key, from, ready: from, answer: { ok: undefined } })
  }
  if (!draft.seen.has(key)) saw(draft.seen, key, { from, at, answer: { ok: undefined } })
}

type Sighting = Asked & { readonly answer: Answer }

/** The same answer again is no other answer; an answer that came later takes the place of none. */
function saw(seen: Draft['seen'], key: string, { from, at, answer }: Sighting): void {
  const runs = seen.get(key)
  const last = runs?.at(-1)
  const one = { from, at, height: heightTold(key, answer) }
  if (last !== undefined && saysSame(key, last.answer, answer)) {
    last.last = one
    last.count += 1
  } else if (runs === undefined || last?.answer.ok === undefined) {
    seen.set(key, [{ first: one, last: one, count: 1, answer }])
  } else runs.push({ first: one, last: one, count: 1, answer })
}

function noteHeights(draft: Draft, key: string, { from, at, answer }: Sighting): void {
  if (answer.ok !== true || callHas(key, 'undecided')) return
  const isDecoded = isCallTo('eth', 'eth_blockNumber', key) || key.startsWith('grpc ')
  const height = isDecoded ? headIn(key, answer) : heightIn(answer.text)
  raise(draft, { height, from, at })
  const tip = isAboutHead(key) ? headIn(key, answer) : heightTold(key, answer)
  if (tip > 0) draft.heads.tips.push({ height: tip, from, at })
}

/** Notes a height that the node knew. */
export function raise({ heads }: Draft, seen: HeightSeen): void {
  if (seen.height <= heads.height) return
  heads.height = seen.height
  heads.known.push(seen)
}

/**
 * Ids of filters and subscriptions are the node's own: the key says what the one meant listens to.
 */
function keyIn({ names, sources, gone }: Draft, call: SentCall): string {
  if (!hasTrait(call, 'byListenerId')) return callKey(call, names)
  const [id = ''] = itemTexts(String(call.params))
  const source = sources.get(id)
  return source === undefined && !gone.has(id) ? callKey(call, names) : listeningKey(call.method, source)
}

/** Returns the key of a call about what is listened to; without one, about what is not there. */
export function listeningKey(method: string, source: string | undefined): string {
  return source === undefined ? keyOf('eth', method, ['gone']) : keyOfOther(source, method)
}

type Noted = {
  readonly at: number
  readonly key: string
  readonly answer: Extract<Answer, { ok: true }>
}

/** Filters are streams. */
function noteFilter(draft: Draft, call: SentCall, { at, key, answer }: Noted): boolean {
  const { method, params } = call
  if (hasTrait(call, 'makesFilter')) {
    draft.sources.set(answer.text, key)
    begin(draft, key)
    return true
  }
  const [source = ''] = itemTexts(String(params))
  const isThere = draft.sources.has(source)
  if (method === 'eth_getFilterChanges') {
    for (const text of itemTexts(answer.text)) addEvent(draft, { source, at, text })
  }
  if (hasTrait(call, 'stopsListening')) forget(draft, source)
  return isThere && hasTrait(call, 'byListenerId') && method !== 'eth_getFilterLogs'
}

function forget({ sources, gone }: Draft, id: string): void {
  if (sources.delete(id)) gone.add(id)
}

/** Begins a stream, which may have begun before. */
export function begin({ streams }: Draft, key: string): void {
  if (!streams.has(key)) streams.set(key, [])
}

/** Adds to a stream what one that listens to it was told. */
export function addEvent({ sources, streams }: Draft, event: Told): void {
  const key = sources.get(event.source)
  if (key !== undefined) streams.get(key)?.push(event)
}
