/**
 * The two servers of Ethereum JSON-RPC. HTTP is framed as by geth; WebSocket as by the node or,
 * without the quirk, as by geth (`cosmos-evm-rpc.md` §1.2, §5.3; corrections-b 1–6).
 */
import type { Answer } from '../../node/answer.ts'
import type { RequestInput } from '../../node/input.ts'
import { hasQuirk } from '../../settings/quirks.ts'
import type { Settings } from '../../settings/settings.ts'
import { dialectOfPath } from '../devDialects.ts'
import type { Call, Framed, Message, Side } from '../transport.ts'
import { ethDialect } from './dialect.ts'
import { answerText, batchText, reencoded, type Answered } from './envelope.ts'
import { codes } from './errors.ts'
import { ethTable } from './index.ts'
import { parseMistake, readMessage, type Entries, type MessageEntry } from './message.ts'
import { readSocketMessage, socketAnswer } from './socket.ts'
import type { Table } from '../table.ts'

/** The largest request body, in bytes (`cosmos-evm-rpc.md` §1.2). */
export const ethBodyMax = 5 * 1024 * 1024

/** Returns Ethereum JSON-RPC with the node's methods and the development controls. */
export function ethSideWith(controls: Table): Side {
  return {
    dialect: ethDialect(ethTable, controls),
    transportOf: ({ transport }) => (transport === 'ws' ? 'ws' : 'post'),
    isSerial: false,
    read: (request, { settings }) =>
      request.transport === 'ws' ? readSocket(request, settings) : readHttp(request, settings),
  }
}

function readHttp(request: RequestInput, settings: Settings): Message {
  const refused = refusedRequest(request, settings)
  if (refused !== undefined) return { kind: 'response', framed: refused }
  const message = readMessage(request.body, settings.ethBatchRequestLimit)
  return calls(message, settings, (body) => json(request, body === '' ? '' : `${body}\n`))
}

function readSocket(request: RequestInput, settings: Settings): Message {
  // Go's JSON encoder, which writes each frame, ends it with a newline.
  const plain = (body: string): Framed => ({ status: 200, headers: [], body: body === '' ? '' : `${body}\n` })
  const entries = () => readMessage(request.body, settings.ethBatchRequestLimit)
  if (!hasQuirk(settings, 'websocket-forwards')) {
    // geth closes the connection for a frame without a value; otherwise the client would wait
    // forever.
    const isEmpty = request.body.trim() === ''
    return calls(isEmpty ? parseMistake : entries(), settings, plain)
  }
  const message = readSocketMessage(request.body)
  switch (message.type) {
    case 'refused':
      return { kind: 'response', framed: plain(message.text) }
    case 'forwarded':
      return calls(withoutPushes(entries()), settings, (body) => plain(body === '' ? nothingBack : reencoded(body)))
    case 'own': {
      const { id, method, params } = message
      const known = params.slice(0, method === 'eth_subscribe' ? 2 : 1)
      const call: Call = {
        id,
        name: method,
        params: { form: 'json', text: `[${known.map(({ raw }) => raw).join(',')}]` },
      }
      return {
        kind: 'calls',
        calls: [call],
        frame: ([answer]) => plain(toldOr(answer, (told) => socketAnswer(id, told))),
      }
    }
  }
}

// The node cannot parse the empty response of its HTTP server.
const nothingBack =
  '{"jsonrpc":"2.0","error":{"code":-32600,' +
  '"message":"failed to unmarshal rest-server response: unexpected end of JSON input"},"id":null}'

function calls({ isBatch, entries }: Entries, settings: Settings, frame: (body: string) => Framed): Message {
  const [only] = entries
  if (!isBatch && entries.length === 1 && only?.type === 'call') return oneCall(only, frame)
  return {
    kind: 'calls',
    calls: entries
      .filter((entry) => entry.type === 'call')
      .map(({ id, method, params }): Call => ({ id: id ?? '', name: method, params })),
    frame: (answers) => {
      const answered = answeredOf(entries, answers)
      if (isBatch && answered.length > 0) return frame(batchText(answered, settings.ethBatchResponseMaxSize))
      return frame(answered.map(({ id, answer }) => answerText(id, answer)).join(''))
    },
  }
}

/** Returns what `calls` returns for the usual message. */
function oneCall({ id, method, params }: MessageEntry & { type: 'call' }, frame: (body: string) => Framed): Message {
  return {
    kind: 'calls',
    calls: [{ id: id ?? '', name: method, params }],
    frame: ([answer]) => frame(id === undefined || answer?.ok === undefined ? '' : answerText(id, answer)),
  }
}

/** Returns a message as the HTTP server handles it, where nothing can be pushed. */
function withoutPushes({ isBatch, entries }: Entries): Entries {
  return {
    isBatch,
    entries: entries.map((entry): MessageEntry => {
      if (entry.type !== 'call' || entry.method !== 'eth_subscribe') return entry
      const error = {
        code: codes.methodNotFound,
        message: 'notifications not supported',
        data: undefined,
      }
      return entry.id === undefined ? { type: 'nothing' } : { type: 'mistake', id: entry.id, error }
    }),
  }
}

function answeredOf(entries: readonly MessageEntry[], answers: readonly Answer[]): readonly Answered[] {
  const answered: Answered[] = []
  let next = 0
  for (const entry of entries) {
    if (entry.type === 'mistake') answered.push({ id: entry.id, answer: { ok: false, error: entry.error } })
    if (entry.type !== 'call') continue
    const answer = answers[next++]
    if (entry.id === undefined || answer === undefined || answer.ok === undefined) continue
    answered.push({ id: entry.id, answer })
  }
  return answered
}

function toldOr(answer: Answer | undefined, write: (told: Answered['answer']) => string): string {
  return answer === undefined || answer.ok === undefined ? '' : write(answer)
}

const greeting =
  'chainstage serves Ethereum JSON-RPC here: send a POST such as {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}.\n'

/** Returns the response to a request that is not JSON-RPC; undefined for any other request. */
function refusedRequest(request: RequestInput, settings: Settings): Framed | undefined {
  const path = request.target === '/' ? '/' : (request.target.split('?')[0] ?? '')
  if (path === '//')
    return {
      status: 301,
      headers: [['Location', '/'], ...common(request)],
      body: '',
    }
  if (path !== '/' && dialectOfPath(path) === undefined) {
    return plainText(request, 404, '404 page not found\n')
  }
  if (['GET', 'HEAD'].includes(request.verb) && !hasQuirk(settings, 'get-not-allowed'))
    return plainText(request, 200, greeting)
  if (request.verb !== 'POST') return { status: 405, headers: common(request), body: '' }
  const { length } = request.body
  if (length > ethBodyMax) return plainText(request, 413, tooLargeText(length))
  if (isJson(request.contentType)) return undefined
  return plainText(request, 415, 'invalid content type, only application/json is supported\n')
}

/** Returns geth's response to a body of too many bytes. */
export function tooLargeText(length: number): string {
  return `content length too large (${length}>${ethBodyMax})\n`
}

function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  return ['application/json', 'application/json-rpc', 'application/jsonrequest'].includes(type)
}

/** The same list each time: who writes it recognizes it. */
const usualHeaders: Framed['headers'] = [
  ['Content-Type', 'application/json'],
  ['Vary', 'Origin'],
]

function json(request: RequestInput, body: string): Framed {
  const headers: Framed['headers'] =
    request.origin === undefined ? usualHeaders : [['Content-Type', 'application/json'], ...common(request)]
  return { status: 200, headers, body }
}

function plainText(request: RequestInput, status: number, body: string): Framed {
  const headers = [
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['X-Content-Type-Options', 'nosniff'],
  ] as const
  return { status, headers: [...headers, ...common(request)], body }
}

// rs/cors: any origin may read the response to a simple request.
function common({ origin, verb }: RequestInput): Framed['headers'] {
  return origin === undefined || !['GET', 'POST', 'HEAD', 'OPTIONS'].includes(verb)
    ? [['Vary', 'Origin']]
    : [
        ['Vary', 'Origin'],
        ['Access-Control-Allow-Origin', '*'],
      ]
}
