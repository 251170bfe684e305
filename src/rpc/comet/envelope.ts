/**
 * Writes the responses of CometBFT RPC and decides which may be cached (`comet-rpc.md` §0.1, §2.4,
 * §2.7).
 */
import { isExpected } from '../../errors.ts'
import type { Answer } from '../../node/answer.ts'
import type { RpcErrorShape } from '../dialect.ts'
import type { Table } from '../table.ts'
import type { Call, Framed } from '../transport.ts'
import { decode } from './dialect.ts'
import { serverTime } from './page.ts'

const json = ['Content-Type', 'application/json'] as const
const cached = ['Cache-Control', 'public, max-age=86400'] as const

/** The same lists each time: who writes them recognizes them. */
const usualHeaders: Framed['headers'] = [json, serverTime]
const cachedHeaders: Framed['headers'] = [cached, ...usualHeaders]

/** Returns the text of an answer; `id` is JSON text and is omitted if undefined. */
export function answerText(id: string | undefined, answer: Answer): string {
  const head = `{"jsonrpc":"2.0"${id === undefined ? '' : `,"id":${id}`}`
  if (answer.ok === undefined) return ''
  return answer.ok ? `${head},"result":${answer.text}}` : `${head},"error":${errorText(answer.error)}}`
}

function errorText({ code, message, data }: RpcErrorShape): string {
  const rest = data === undefined ? '' : `,"data":${data}`
  return `{"code":${code},"message":${JSON.stringify(message)}${rest}}`
}

/** Returns a response with a JSON body; `isCacheable` lets HTTP caches keep it for one day. */
export function jsonResponse(status: number, body: string, isCacheable: boolean): Framed {
  return { status, headers: isCacheable ? cachedHeaders : usualHeaders, body }
}

/** Returns a response sent before routing, which has neither clock nor CORS headers. */
export function earlyRefusal(status: number, error: RpcErrorShape): Framed {
  return {
    status,
    headers: [json],
    body: answerText(undefined, { ok: false, error }),
    cors: 'strip',
  }
}

/** Returns the response to a POST: empty, a single answer, or a list. */
export function postResponse(table: Table, calls: readonly Call[], answers: readonly Answer[]): Framed {
  const fatal = answers.find((answer) => answer.ok === false && answer.error.isFatal === true)
  if (fatal !== undefined) return jsonResponse(500, answerText('-1', fatal), false)
  const texts = answers.map((answer, index) => answerText(calls[index]?.id, answer)).filter((text) => text !== '')
  const [first] = texts
  if (first === undefined) return { status: 200, headers: [serverTime], body: '' }
  const isCacheable = calls.every((call) => mayBeCached(table, call))
  return jsonResponse(200, texts.length === 1 ? first : `[${texts.join(',')}]`, isCacheable)
}

/** Returns the response to a call by path, where errors have an HTTP status. */
export function uriResponse(table: Table, call: Call, answer: Answer): Framed {
  const text = answerText('-1', answer)
  if (answer.ok !== false) return jsonResponse(200, text, mayBeCached(table, call))
  return jsonResponse(answer.error.code === -32601 ? 404 : 500, text, false)
}

/** Returns whether an answer never changes, because of its method or because a height was given. */
function mayBeCached(table: Table, call: Call): boolean {
  const method = table.byName.get(call.name)
  if (method === undefined) return false
  const isAtHeight = method.traits.includes('cacheableAtHeight')
  if (!isAtHeight && !method.traits.includes('cacheable')) return false
  try {
    const values = decode(method, call.params, 'post')
    return !isAtHeight || values[method.params.findIndex(({ name }) => name === 'height')] !== undefined
  } catch (error) {
    if (!isExpected(error)) throw error
    return false
  }
}
