/** Adds one line of raw traffic to a draft. */
import type { Side } from '../../settings/side.ts'
import { readTarget } from '../../rpc/comet/path.ts'
import { hasTrait } from '../../rpc/sides.ts'
import { redactCall } from '../redactCall.ts'
import { callKey, messageParams, type ParameterNames, type SentCall } from './callKey.ts'
import { addEvent, asked, begin, connectionOf, note, noteUnanswered, raise, type Draft, type Open } from './draft.ts'
import { heightIn } from './library.ts'
import type { ToldEvent } from './libraryOf.ts'
import { itemTexts, memberTexts } from './slice.ts'
import { type TapLine, sideOfTap } from './tapLine.ts'
import { tenths } from './headTimes.ts'
import { takeService } from './takeService.ts'

type Message = ReadonlyMap<string, string>

/** Adds a line. Throws `SyntaxError` or `URIError` for a call that cannot be parsed. */
export function takeLine(draft: Draft, line: TapLine): void {
  const side = sideOfTap(line.iface)
  if (line.kind === 'head') {
    raise(draft, { height: line.height ?? 0, from: line.t, at: line.t })
  }
  if (line.kind === 'http' && (side === 'rest' || side === 'grpc')) return takeService(draft, side, line)
  if (line.kind === 'http') http(draft, side, line)
  if (line.kind === 'ws-in') sent(draft, side, line)
  if (line.kind === 'ws-out') received(draft, side, line)
  if (line.kind === 'ws-close') closed(draft, line)
}

function http(draft: Draft, side: Side, { method, path = '/', req = '', res, t, ms = 0, conn }: TapLine): void {
  const at = tenths(t + ms)
  const calls =
    method === 'GET'
      ? [{ call: callOfPath(side, path, draft.names), id: undefined }]
      : messagesOf(req).flatMap((one) => {
          const call = callOf(side, one, draft.names)
          return call === undefined ? [] : [{ call, id: one.get('id') }]
        })
  const answers = [...messagesOf(res ?? '')]
  const isOne = calls.length === 1 && answers.length === 1
  for (const { call, id } of calls) {
    if (call === undefined || !isMethod.test(call.method)) continue
    asked(draft, call, { conn, t })
    // A single call takes the single response, whatever its id. Duplicate ids match in order.
    const index = isOne ? 0 : answers.findIndex((one) => one.get('id') === id)
    const [message] = index < 0 ? [] : answers.splice(index, 1)
    if (message !== undefined && isAnswer(message)) note(draft, call, { from: t, at, message })
    else if (res === undefined) noteUnanswered(draft, call, { from: t, at })
  }
}

const isMethod = /^\S+$/

function isAnswer(message: Message): boolean {
  return message.has('result') || message.has('error')
}

/**
 * Returns the call of a GET request; on Ethereum JSON-RPC it is a page or a health check, not a
 * call.
 */
function callOfPath(side: Side, path: string, names: ParameterNames): SentCall | undefined {
  if (side === 'eth') return undefined
  const { path: route, query } = readTarget(path)
  const pairs = query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return [decodeURIComponent(name), decodeURIComponent(value.join('=').replaceAll('+', ' '))] as const
    })
  const method = route.replaceAll(/^\/+|\/+$/g, '')
  return redactCall({ side, method, params: new Map(pairs) }, names)
}

function callOf(side: Side, message: Message, names: ParameterNames): SentCall | undefined {
  const method = message.get('method')
  if (method === undefined) return undefined
  return redactCall({ side, method: String(JSON.parse(method)), params: messageParams(message) }, names)
}

function messagesOf(text: string): readonly Message[] {
  const list = text.trim()
  return (list.startsWith('[') ? itemTexts(list) : [list]).map(memberTexts)
}

function sent(draft: Draft, side: Side, { conn, text = '', t }: TapLine): void {
  for (const message of messagesOf(text)) {
    const call = callOf(side, message, draft.names)
    if (call === undefined) continue
    asked(draft, call, { conn, t })
    const id = `${conn} ${message.get('id') ?? ''}`
    draft.open.set(id, [...(draft.open.get(id) ?? []), { call, from: t }])
  }
}

function received(draft: Draft, side: Side, { conn, text = '', t }: TapLine): void {
  for (const message of messagesOf(text)) {
    const id = `${conn} ${message.get('id') ?? ''}`
    const pushed = memberTexts(message.get('params') ?? '')
    const [one] = draft.open.get(id) ?? []
    if (pushed.size > 0) {
      push(draft, conn, { source: pushed.get('subscription') ?? '', at: t, text: pushed.get('result') ?? '' })
    } else if (one !== undefined) {
      settle(draft, id)
      answered(draft, { one, id, t, message, told: connectionOf(draft, conn).told })
      connectionOf(draft, conn).answered = t
    } else if (side === 'comet' && message.has('result')) {
      push(draft, conn, { source: id, at: t, text: message.get('result') ?? '' })
    }
  }
}

/** Events before the commit name the height of a block that does not exist yet. */
const decides = /^\{"query":"(?:[^"\\]|\\.)*","data":\{"type":"tendermint\/event\/(?!NewBlock|Tx")/

function push(draft: Draft, conn: number, { source, at, text }: Pick<ToldEvent, 'source' | 'at' | 'text'>): void {
  if (text === '') return
  const height = decides.test(text) ? 0 : heightIn(text)
  raise(draft, { height, from: at, at })
  // A subscription is notified only of blocks made after it began.
  const began = height === 0 ? undefined : draft.began.get(source)
  if (began !== undefined && draft.began.delete(source)) {
    draft.heads.tips.push({ height: height - 1, from: began, at: began })
  }
  const connection = connectionOf(draft, conn)
  addEvent(draft, { source, at, text, pushed: { height, after: connection.answered } })
  connection.told = at
}

function settle({ open }: Draft, id: string): void {
  const rest = open.get(id)?.slice(1) ?? []
  if (rest.length === 0) open.delete(id)
  else open.set(id, rest)
}

type Answered = {
  readonly one: Open
  readonly id: string
  readonly t: number
  readonly told: number
  readonly message: Message
}

/** Notes a response. An accepted subscription begins a stream. */
function answered(draft: Draft, { one: { call, from }, id, t, told, message }: Answered): void {
  const isListening = message.has('result') && hasTrait(call, 'subscribes')
  if (!isListening) return note(draft, call, { from, at: t, told, message })
  const key = callKey(call, draft.names)
  const source = call.side === 'comet' ? id : (message.get('result') ?? '')
  draft.sources.set(source, key)
  draft.began.set(source, from)
  begin(draft, key)
}

/** Notes the open calls of a closed connection as unanswered. */
function closed(draft: Draft, { conn, t }: TapLine): void {
  for (const [id, open] of draft.open) {
    if (!id.startsWith(`${conn} `)) continue
    draft.open.delete(id)
    for (const { call, from } of open) noteUnanswered(draft, call, { from, at: t })
  }
}
