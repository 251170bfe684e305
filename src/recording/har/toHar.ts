/** Exports a recording as HAR 1.2, for use in browser developer tools. */
import { assert } from '../../errors.ts'
import { keyOfNormalized, keyParts } from '../playback/callKey.ts'
import { callHas } from '../playback/callTraits.ts'
import { madeAt, tenths } from '../playback/headTimes.ts'
import { headIn, heightIn, type Library, type StreamEvent } from '../playback/library.ts'
import type { Answer } from '../../node/answer.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'
import { restResponse } from '../../rpc/rest/frame.ts'
import { restRequest } from '../../rpc/rest/request.ts'

export type HarOptions = {
  readonly version: string
  /** Formats a moment of the recording, in ms, as an ISO time. */
  readonly timeOf: (ms: number) => string
}

type Entry = { readonly at: number; readonly entry: unknown }

/**
 * The time at which a height became the head. HAR has no field for it, so it is in `_chainstage`.
 */
export type HarHead = { readonly height: number; readonly time: string }

/**
 * Returns the HAR text, ordered by time: an entry for each write, each distinct answer and each
 * stream. An answer that held from the beginning is placed at the block that it mentions.
 * `_chainstage` has the times of blocks. Calls without a form in HAR are left out (`leftOutOfHar`).
 */
export function toHar(whole: Library, { version, timeOf }: HarOptions): string {
  const library = { ...whole, writes: whole.writes.filter(({ key }) => requestOf(key) !== undefined) }
  const { heads, writes } = library
  const written = new Set(writes.map(({ key }) => key))
  const answers: Entry[] = [...library.answers.keys()]
    .filter((key) => !written.has(key) && requestOf(key) !== undefined)
    .flatMap((key) =>
      (library.answers.get(key) ?? []).map(({ since, answer }) => {
        const at = Number.isFinite(since) ? since : toldAt(key, answer, library)
        return { at, entry: exchangeOf(key, answer, { startedDateTime: timeOf(at), time: 0 }) }
      }),
    )
  const sent: Entry[] = writes.map(({ key, answer, from, ready }) => {
    const when = { startedDateTime: timeOf(from), time: tenths(ready - from) }
    return { at: from, entry: exchangeOf(key, answer, when) }
  })
  const streams = [...library.streams].flatMap(([key, events], index) => {
    const told: Stream = {
      key,
      events,
      id: `"0x${(index + 1).toString(16).padStart(32, '0')}"`,
      startsAt: library.startsAt,
    }
    return callHas(key, 'makesFilter') ? pollsOf(told, timeOf) : [streamOf(told, timeOf)]
  })
  const entries = [...answers, ...sent, ...streams].toSorted((a, b) => a.at - b.at).map(({ entry }) => entry)
  const known = heads.map(({ height, at }): HarHead => ({ height, time: timeOf(at) }))
  const log = {
    version: '1.2',
    creator: { name: 'chainstage', version },
    pages: [],
    entries,
    _chainstage: { startsAt: timeOf(library.startsAt), heads: known },
  }
  return `${JSON.stringify({ log }, undefined, 1)}\n`
}

/** Returns the number of calls that HAR leaves out: those to gRPC, and of REST without a path. */
export function leftOutOfHar({ answers }: Library): number {
  return [...answers.keys()].filter((key) => requestOf(key) === undefined).length
}

/** Returns the time of an answer without one: when the newest block that it mentions was made. */
function toldAt(key: string, answer: Answer, { heads, startsAt }: Library): number {
  const height = answer.ok === true ? Math.max(headIn(key, answer), heightIn(answer.text)) : 0
  return height === 0 ? startsAt : Math.max(startsAt, madeAt(heads, height) ?? startsAt)
}

const mimeType = 'application/json'

type HarHeader = { readonly name: string; readonly value: string }

/** A request without its host. */
type HarRequest = {
  readonly method: string
  readonly target: string
  readonly headers: readonly HarHeader[]
  readonly body: string
}

const jsonHeader: HarHeader = { name: 'content-type', value: mimeType }

function requestOf(key: string): HarRequest | undefined {
  const { side, method, params } = keyParts(key)
  if (side === 'comet' || side === 'eth') {
    return { method: 'POST', target: '/', headers: [jsonHeader], body: requestText(key) }
  }
  const request = side === 'rest' ? restRequest(method, params) : undefined
  if (request === undefined) return undefined
  const { verb, target, body, height } = request
  const headers = [
    ...(verb === 'POST' ? [jsonHeader] : []),
    ...(height === undefined ? [] : [{ name: heightHeader, value: height }]),
  ]
  return { method: verb, target, headers, body }
}

function requestText(key: string): string {
  const { method, params } = keyParts(key)
  return `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`
}

/** The start as an ISO time, and the duration in ms. */
type When = { readonly startedDateTime: string; readonly time: number }

/** Returns a HAR entry for an exchange. The host names the interface: `comet`, `eth` or `rest`. */
function exchangeOf(key: string, answer: Answer, { startedDateTime, time }: When): unknown {
  const { side } = keyParts(key)
  const request = requestOf(key)
  assert(request !== undefined, `${key} has no form in HAR`)
  const { method, target, headers, body } = request
  const [, query = ''] = target.split('?')
  const { status, body: got } =
    side === 'rest' ? restResponse(answer, undefined) : { status: 200, body: responseText(answer) }
  return {
    startedDateTime,
    time,
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    request: {
      method,
      url: `http://${side}.localhost${target}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      queryString: [...new URLSearchParams(query)].map(([name, value]) => ({ name, value })),
      headers,
      headersSize: -1,
      bodySize: body.length,
      ...(body === '' ? {} : { postData: { mimeType, text: body } }),
    },
    response: {
      status,
      statusText: status === 200 ? 'OK' : '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [jsonHeader],
      redirectURL: '',
      headersSize: -1,
      bodySize: got.length,
      content: { size: got.length, mimeType, text: got },
      ...(answer.ok === false && answer.error.isEarly === true ? { _isEarly: true } : {}),
    },
  }
}

function responseText(answer: Answer): string {
  if (answer.ok === undefined) return ''
  if (answer.ok) return `{"jsonrpc":"2.0","id":1,"result":${answer.text}}`
  const { code, message, data } = answer.error
  return `{"jsonrpc":"2.0","id":1,"error":{"code":${code},"message":${JSON.stringify(message)}${data === undefined ? '' : `,"data":${data}`}}}`
}

type Stream = {
  readonly key: string
  readonly events: readonly StreamEvent[]
  readonly id: string
  readonly startsAt: number
}

/** Returns the creation of a filter, then one poll for each moment that had events. */
function pollsOf({ key, events, id, startsAt }: Stream, timeOf: HarOptions['timeOf']): readonly Entry[] {
  const first = Math.min(startsAt, events[0]?.at ?? startsAt)
  const polls = new Map<number, string[]>()
  for (const { at, text } of events) polls.set(at, [...(polls.get(at) ?? []), text])
  const entry = (asked: string, at: number, text: string) => ({
    at,
    entry: exchangeOf(asked, { ok: true, text }, { startedDateTime: timeOf(at), time: 0 }),
  })
  return [
    entry(key, first, id),
    ...[...polls].map(([at, texts]) =>
      entry(keyOfNormalized('eth', 'eth_getFilterChanges', [JSON.parse(id)]), at, `[${texts.join(',')}]`),
    ),
  ]
}

function streamOf({ key, events, id, startsAt }: Stream, timeOf: HarOptions['timeOf']): Entry {
  const { side } = keyParts(key)
  const first = events[0]?.at ?? startsAt
  const seconds = (at: number) => Date.parse(timeOf(at)) / 1000
  const message = (type: string, at: number, data: string) => ({ type, time: seconds(at), opcode: 1, data })
  const pushed = (text: string) =>
    side === 'comet'
      ? `{"jsonrpc":"2.0","id":1,"result":${text}}`
      : `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${id},"result":${text}}}`
  const messages = [
    message('send', first, requestText(key)),
    message('receive', first, `{"jsonrpc":"2.0","id":1,"result":${side === 'comet' ? '{}' : id}}`),
    ...events.map(({ at, text }) => message('receive', at, pushed(text))),
  ]
  return { at: first, entry: socketEntry(side, timeOf(first), messages) }
}

function socketEntry(side: string, startedDateTime: string, messages: readonly unknown[]): unknown {
  return {
    startedDateTime,
    time: 0,
    cache: {},
    timings: { send: 0, wait: 0, receive: 0 },
    _resourceType: 'websocket',
    request: {
      method: 'GET',
      url: `ws://${side}.localhost/`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      queryString: [],
      headers: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 101,
      statusText: 'Switching Protocols',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      content: { size: 0, mimeType: '' },
    },
    _webSocketMessages: messages,
  }
}
