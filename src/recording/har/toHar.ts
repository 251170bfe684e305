/** A recording as HAR 1.2, for people who live in the tools of a browser. */
import { keyParts } from '../playback/callKey.ts'
import type { Library, StreamEvent } from '../playback/library.ts'
import type { Answer } from '../../node/answer.ts'

export type HarOptions = {
  readonly version: string
  /** Returns an ISO time for a moment in ms of the recording. */
  readonly timeOf: (ms: number) => string
}

type Entry = { readonly at: number; readonly entry: unknown }

/**
 * Returns the text: one entry for each answer that differs, one for each stream, in order of time.
 */
export function toHar(library: Library, { version, timeOf }: HarOptions): string {
  const answers: Entry[] = [
    ...library.answers.keys(),
  ].flatMap((key) => (library.answers.get(key) ?? []).map(({ since, answer }) => {
    const at = Number.isFinite(since) ? since : library.startsAt
    return { at, entry: exchangeOf(key, answer, timeOf(at)) }
  }))
  const streams = [...library.streams].flatMap(([key, events], index) => {
    const told: Stream = {
      key, events, id: `"0x${(index + 1).toString(16).padStart(32, '0')}"`,
      startsAt: library.startsAt,
    }
    return key.includes('Filter ') ? pollsOf(told, timeOf) : [streamOf(told, timeOf)]
  })
  const entries = [...answers, ...streams].toSorted((a, b) => a.at - b.at).map(({ entry }) => entry)
  return `${JSON.stringify({ log: { version: '1.2', creator: { name: 'chainstage', version }, pages: [], entries } }, undefined, 1)}\n`
}

const mimeType = 'application/json'

function requestText(key: string): string {
  const { method, params } = keyParts(key)
  return `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`
}

/** The host says which interface it is: `comet` or `eth`. */
function exchangeOf(key: string, answer: Answer, startedDateTime: string): unknown {
  const { side } = keyParts(key)
  const [sent, got] = [requestText(key), responseText(answer)]
  return {
    startedDateTime, time: 0, cache: {}, timings: { send: 0, wait: 0, receive: 0 },
    request: {
      method: 'POST', url: `http://${side}.localhost/`, httpVersion: 'HTTP/1.1', cookies: [],
      queryString: [],
      headers: [{ name: 'content-type', value: mimeType }], headersSize: -1, bodySize: sent.length,
      postData: { mimeType, text: sent },
    },
    response: {
      status: 200, statusText: 'OK', httpVersion: 'HTTP/1.1', cookies: [],
      headers: [{ name: 'content-type', value: mimeType }],
      redirectURL: '', headersSize: -1, bodySize: got.length,
      content: { size: got.length, mimeType, text: got },
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

/** A filter is made, and asked for what came at each moment. */
function pollsOf(
  { key, events, id, startsAt }: Stream, timeOf: HarOptions['timeOf'],
): readonly Entry[] {
  const first = Math.min(startsAt, events[0]?.at ?? startsAt)
  const polls = new Map<number, string[]>()
  for (const { at, text } of events) polls.set(at, [...polls.get(at) ?? [], text])
  const entry = (asked: string, at: number, text: string) => (
    { at, entry: exchangeOf(asked, { ok: true, text }, timeOf(at)) }
  )
  return [
    entry(key, first, id),
    ...[...polls].map(
      ([at, texts]) => entry(`eth eth_getFilterChanges [${id}]`, at, `[${texts.join(',')}]`)
    ),
  ]
}

function streamOf({ key, events, id, startsAt }: Stream, timeOf: HarOptions['timeOf']): Entry {
  const { side } = keyParts(key)
  const first = events[0]?.at ?? startsAt
  const seconds = (at: number) => Date.parse(timeOf(at)) / 1000
  const message = (
    type: string, at: number, data: string
  ) => ({ type, time: seconds(at), opcode: 1, data })
  const pushed = (text: string) => (side === 'comet' ? `{"jsonrpc":"2.0","id":1,"result":${text}}`
    : `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":${id},"result":${text}}}`)
  const messages = [
    message('send', first, requestText(key)),
    message('receive', first, `{"jsonrpc":"2.0","id":1,"result":${side === 'comet' ? '{}' : id}}`),
    ...events.map(({ at, text }) => message('receive', at, pushed(text))),
  ]
  return { at: first, entry: socketEntry(side, timeOf(first), messages) }
}

function socketEntry(side: string, startedDateTime: string, messages: readonly unknown[]): unknown {
  return {
    startedDateTime, time: 0, cache: {}, timings: { send: 0, wait: 0, receive: 0 },
    _resourceType: 'websocket',
    request: {
      method: 'GET', url: `ws://${side}.localhost/`, httpVersion: 'HTTP/1.1', cookies: [],
      queryString: [], headers: [], headersSize: -1, bodySize: 0,
    },
    response: {
      status: 101, statusText: 'Switching Protocols', httpVersion: 'HTTP/1.1', cookies: [],
      headers: [], redirectURL: '', headersSize: -1,
      bodySize: -1, content: { size: 0, mimeType: '' },
    },
    _webSocketMessages: messages,
  }
}
