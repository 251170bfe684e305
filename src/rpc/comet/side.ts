/** CometBFT RPC: reads requests into calls and writes answers as responses (`comet-rpc.md` §2). */
import type { Answer } from '../../node/answer.ts'
import type { RequestInput } from '../../node/input.ts'
import type { Node } from '../../node/node.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Call, Framed, Message, Side } from '../transport.ts'
import { documentedFailure, isDocumented } from './abciInfoForm.ts'
import { cometDialect, hasPath } from './dialect.ts'
import { answerText, earlyRefusal, jsonResponse, postResponse, uriResponse } from './envelope.ts'
import { cometError } from './errors.ts'
import { cometTable } from './index.ts'
import { readBody, readFrame, UnreadableMessage, type Envelopes } from './message.ts'
import { badPath, indexPage, movedTo, notFound, notUpgraded, serverTime } from './page.ts'
import { cleanPath, readMultipart, readPairs, readTarget, unescapeGo, type Target } from './path.ts'

export const cometSide: Side = {
  dialect: cometDialect(cometTable),
  transportOf: (request) => {
    if (request.transport === 'ws') return 'ws'
    return readTarget(request.target).path === '/' ? 'post' : 'uri'
  },
  isSerial: true,
  read: (request, { settings }: Node) =>
    request.transport === 'ws' ? readSocket(request.body) : readHttp(request, settings),
}

function response(framed: Framed): Message {
  return { kind: 'response', framed }
}

function readSocket(body: string): Message {
  const message = readable(() => readFrame(body))
  if (message instanceof UnreadableMessage) {
    return response({ status: 200, headers: [], body: unreadable(message) })
  }
  const { calls } = message
  return {
    kind: 'calls',
    calls,
    frame: (answers) => ({ status: 200, headers: [], body: frameText(calls, answers) }),
  }
}

function frameText([call]: readonly Call[], [answer]: readonly Answer[]): string {
  if (call === undefined || answer === undefined) return ''
  const isFatal = answer.ok === false && answer.error.isFatal === true
  return answerText(isFatal ? '-1' : call.id, answer)
}

function readHttp(request: RequestInput, settings: Settings): Message {
  const { body } = request
  if (request.target === '*') return response({ status: 400, headers: [], body: '' })
  if (isTooLarge(body, settings.maxBodyBytes)) {
    return response(earlyRefusal(400, cometError(-32600, 'error reading request body: http: request body too large')))
  }
  const message = body === '' ? undefined : readable(() => readBody(body))
  const limit = settings.maxRequestBatchSize
  const isTooLong =
    message !== undefined &&
    !(message instanceof UnreadableMessage) &&
    message.isBatch &&
    limit > 0 &&
    message.count > limit
  if (isTooLong) {
    const text = `batch request exceeds maximum (${limit}) allowed number of requests`
    return response(earlyRefusal(200, cometError(-32600, text)))
  }
  return routed(request, settings, message)
}

function routed(
  request: RequestInput,
  settings: Settings,
  message: Envelopes | UnreadableMessage | undefined,
): Message {
  const target = readTarget(request.target)
  const path = unescapeGo(target.path, 'plusStays')
  if (path === undefined) return response(badPath)
  const clean = cleanPath(target.path)
  if (clean !== target.path && request.verb !== 'CONNECT') {
    return response(movedTo(clean, target.query, request.verb))
  }
  if (path === '/websocket') return response(notUpgraded)
  if (path !== '/') return readUri(request, settings, { ...target, path })
  if (message === undefined) return response(indexPage(cometTable, request.host, settings))
  if (message instanceof UnreadableMessage) {
    return response(jsonResponse(500, unreadable(message), false))
  }
  const { calls } = message
  if (calls.length === 0) return response({ status: 200, headers: [serverTime], body: '' })
  return { kind: 'calls', calls, frame: (answers) => postResponse(cometTable, calls, answers) }
}

function readUri(request: RequestInput, settings: Settings, { path, query }: Target): Message {
  const method = cometTable.byName.get(path.slice(1))
  if (method === undefined || !hasPath(method, settings)) return response(notFound)
  const call: Call = {
    id: '-1',
    name: method.name,
    params: { form: 'uri', pairs: pairsOf(request, query) },
  }
  const frame = ([answer]: readonly Answer[]): Framed => {
    const given = answer ?? { ok: undefined }
    return call.name === 'abci_info' && given.ok === false && isDocumented(settings, 'uri')
      ? documentedFailure(given.error)
      : uriResponse(cometTable, call, given)
  }
  return { kind: 'calls', calls: [call], frame }
}

/** The first value of a name counts; a form's value replaces an empty one in the query. */
function pairsOf({ body, contentType, verb }: RequestInput, query: string): ReadonlyMap<string, string> {
  if (verb === 'GET') return firstOfEach(readPairs(query))
  const form = !['POST', 'PUT', 'PATCH'].includes(verb)
    ? []
    : /^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)
      ? readPairs(body)
      : /^\s*multipart\/form-data\s*;/i.test(contentType)
        ? readMultipart(contentType, body)
        : []
  const pairs = firstOfEach(readPairs(query))
  const empty = new Set(form.map(([name]) => name).filter((name) => (pairs.get(name) ?? '') === ''))
  for (const [name, value] of form) {
    if (empty.delete(name)) pairs.set(name, value)
  }
  return pairs
}

function firstOfEach(all: readonly (readonly [string, string])[]): Map<string, string> {
  const pairs = new Map<string, string>()
  for (const [name, value] of all) if (!pairs.has(name)) pairs.set(name, value)
  return pairs
}

function readable(read: () => Envelopes): Envelopes | UnreadableMessage {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableMessage) return error
    throw error
  }
}

function unreadable({ message }: UnreadableMessage): string {
  return answerText(undefined, { ok: false, error: cometError(-32700, `error unmarshaling request: ${message}`) })
}

/** A UTF-16 unit takes at most three bytes, so most bodies need not be measured. */
function isTooLarge(body: string, limit: number): boolean {
  return body.length * 3 > limit && new TextEncoder().encode(body).length > limit
}
