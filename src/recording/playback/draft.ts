/** The state of reading traffic: the answers, writes, streams and heads seen so far. */
import { sha256Hex } from '../../crypto/hash.ts'
import type { Answer } from '../../node/answer.ts'
import { hasTrait } from '../../rpc/sides.ts'
import { callKey, isCallTo, keyOfNormalized, keyOfOther, type ParameterNames, type SentCall } from './callKey.ts'
import { callHas, isAboutHead } from './callTraits.ts'
import { arrivals, isSteady, type NotedAsk } from './asks.ts'
import type { HeightSeen } from './headTimes.ts'
import { headIn, heightIn, heightTold, saysSame, type PollSpan, type Run, type Write } from './library.ts'
import type { ToldEvent } from './libraryOf.ts'
import { isOfService, shownTxs } from './serviceTxs.ts'
import { itemTexts, memberTexts } from './slice.ts'

/** A connection's number of calls, and the times of its last response and last event. */
type Connection = { calls: number; answered: number; told: number }

/** A WebSocket call without a response yet. */
export type Open = { readonly call: SentCall; readonly from: number }

export type Draft = {
  readonly names: ParameterNames
  readonly seen: Map<string, Run[]>
  readonly writes: Write[]
  readonly streams: Map<string, ToldEvent[]>
  readonly heads: {
    height: number
    /** Heights in the order in which they became known, ascending. */
    readonly known: HeightSeen[]
    /** Heights that answers named as the head. */
    readonly tips: HeightSeen[]
  }
  /** WebSocket calls without a response yet, by connection and id, oldest first. */
  readonly open: Map<string, Open[]>
  /** Keys of streams, by subscription or filter id, or on CometBFT RPC by connection and id. */
  readonly sources: Map<string, string>
  /** Request times of subscriptions that have received no block yet, by the ids in `sources`. */
  readonly began: Map<string, number>
  readonly asks: NotedAsk[]
  readonly connections: Map<number, Connection>
  /** Ids of removed filters and subscriptions. */
  readonly gone: Set<string>
}

/** Returns an empty draft. */
export function emptyDraft(names: ParameterNames): Draft {
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

/** Returns the answer in a response; result and error data keep their text. */
export function answerInMessage(message: ReadonlyMap<string, string>): Answer {
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
      ...(members.get('isEarly') === 'true' ? { isEarly: true } : {}),
    },
  }
}

/** The connection number of the recorder's own requests. Clients have higher numbers. */
const recorder = 0

/** Maximum number of calls noted as signs of client progress. */
const mostAsks = 10_000

/**
 * Notes a call before its response is known. Calls that a client makes at any speed show its
 * progress; `isArrival` marks the first calls of a connection.
 */
export function asked(draft: Draft, call: SentCall, { conn, t }: { conn: number; t: number }): void {
  const count = connectionOf(draft, conn).calls++
  if (conn <= recorder || draft.asks.length >= mostAsks || hasTrait(call, 'submits')) return
  const key = callKey(call, draft.names)
  if (!isSteady(key, draft.heads.height)) return
  draft.asks.push({ at: t, digest: digestOf(key), isArrival: count < arrivals })
}

/** Returns the state of a connection, created on first use. */
export function connectionOf({ connections }: Draft, conn: number): Connection {
  const known = connections.get(conn) ?? { calls: 0, answered: -Infinity, told: -Infinity }
  connections.set(conn, known)
  return known
}

/** Returns the short name of a call in files: the first 16 hex digits of its key's SHA-256. */
export function digestOf(key: string): string {
  return sha256Hex(key).slice(0, 16)
}

type Heard = {
  readonly from: number
  readonly at: number
  /** When the connection last received an event. */
  readonly told?: number
  readonly message: ReadonlyMap<string, string>
}

/** Notes the response to a call. */
export function note(draft: Draft, call: SentCall, { from, at, told = -Infinity, message }: Heard): void {
  const answer = answerInMessage(message)
  const key = keyIn(draft, call)
  noteHeights(draft, key, { from, at, answer })
  if (call.side === 'eth' && answer.ok === true && noteFilter(draft, call, { at, key, answer })) {
    return
  }
  if (hasTrait(call, 'submits')) {
    // An answer that took over 500 ms, or that followed an event, waited for a block.
    draft.writes.push({ key, from, ready: at - from > 500 || told >= from ? at : from, answer })
  }
  // An error that quotes a listener id differs for each id, so it is not kept.
  const isOfOne = key.endsWith(' ["gone"]') && answer.ok === false && answer.error.message.includes('0x')
  if (!isOfOne) saw(draft.seen, key, { from, at, answer })
}

/** Notes a call whose client or connection left before the response. */
export function noteUnanswered(draft: Draft, call: SentCall, { from, at }: PollSpan): void {
  const key = keyIn(draft, call)
  if (hasTrait(call, 'submits')) {
    draft.writes.push({ key, from, ready: from, answer: { ok: undefined } })
  }
  if (!draft.seen.has(key)) saw(draft.seen, key, { from, at, answer: { ok: undefined } })
}

type Sighting = PollSpan & { readonly answer: Answer }

/**
 * Adds an answer. A repeated answer extends the last run; a later answer replaces a missing one.
 */
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
  const height = heightShown(key, answer)
  raise(draft, { height, from, at })
  const tip = isAboutHead(key) ? headIn(key, answer) : heightTold(key, answer)
  if (tip > 0) draft.heads.tips.push({ height: tip, from, at })
}

/**
 * Returns the greatest height in an answer that the node had, or 0. Services and the genesis also name heights
 * of plans and of other chains.
 */
function heightShown(key: string, { text }: { readonly text: string }): number {
  if (isCallTo('eth', 'eth_blockNumber', key)) return headIn(key, { text })
  if (!isOfService(key)) return isCallTo('comet', 'genesis', key) ? 0 : heightIn(text)
  const own = key.startsWith('rest ') ? heightIn(`"height":${memberTexts(text).get('height')}`) : 0
  return Math.max(own, ...shownTxs(key, text).map(({ height }) => height))
}

/** Notes a height that the node knew, if it is a new head. */
export function raise({ heads }: Draft, seen: HeightSeen): void {
  if (seen.height <= heads.height) return
  heads.height = seen.height
  heads.known.push(seen)
}

/**
 * Returns the key of a call. The node assigns the ids of filters and subscriptions, so the key
 * contains the call that created the listener instead.
 */
function keyIn({ names, sources, gone }: Draft, call: SentCall): string {
  if (!hasTrait(call, 'byListenerId')) return callKey(call, names)
  const [id = ''] = itemTexts(String(call.params))
  const source = sources.get(id)
  return source === undefined && !gone.has(id) ? callKey(call, names) : listeningKey(call.method, source)
}

/**
 * Returns the key of a call about a listener, given the key that created it. Without that key,
 * returns the key of a call about a listener that does not exist.
 */
export function listeningKey(method: string, source: string | undefined): string {
  return source === undefined ? keyOfNormalized('eth', method, ['gone']) : keyOfOther(source, method)
}

type Noted = {
  readonly at: number
  readonly key: string
  readonly answer: Extract<Answer, { ok: true }>
}

/**
 * Notes a call about filters, which are kept as streams. Returns whether the call is fully noted.
 */
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

/** Begins a stream unless it exists. */
export function begin({ streams }: Draft, key: string): void {
  if (!streams.has(key)) streams.set(key, [])
}

/** Adds an event to the stream of its subscription or filter. */
export function addEvent({ sources, streams }: Draft, event: ToldEvent): void {
  const key = sources.get(event.source)
  if (key !== undefined) streams.get(key)?.push(event)
}
