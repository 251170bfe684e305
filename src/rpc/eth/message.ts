/**
 * Reads messages as geth's `rpc` package does: calls, notifications and errors, and the ids of
 * their answers (`cosmos-evm-rpc.md` §1.2, corrections-b 4–6).
 */
import { memberOf, textOrEmpty } from '../../codec/codec.ts'
import { JsonSyntaxError, parseJsonPrefix, type Json } from '../../codec/goJson.ts'
import type { RpcErrorShape, WireParams } from '../dialect.ts'
import { codes } from './errors.ts'

/**
 * An entry of a message. `id` is JSON text; an entry without an id is executed without a response.
 */
export type MessageEntry =
  | {
      readonly type: 'call'
      readonly id: string | undefined
      readonly method: string
      readonly params: WireParams
    }
  | { readonly type: 'mistake'; readonly id: string; readonly error: RpcErrorShape }
  | { readonly type: 'nothing' }

/** The content of a body. */
export type Entries = { readonly isBatch: boolean; readonly entries: readonly MessageEntry[] }

const methodNameMax = 2048

/**
 * Returns the entries of a body; an empty body has none. Anything after the first JSON value is
 * ignored.
 */
export function readMessage(body: string, batchLimit: number): Entries {
  let wire: Json
  try {
    wire = parseJsonPrefix(body).value
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    if (error.message === 'EOF') return { isBatch: false, entries: [] }
    return parseMistake
  }
  if (wire.type !== 'array') return single(entryOf(wire))
  if (wire.items.length === 0) return single(mistake('null', codes.invalidRequest, 'empty batch'))
  const entries = wire.items.map(entryOf)
  if (batchLimit === 0 || entries.length <= batchLimit) return { isBatch: true, entries }
  const first = entries.find((entry) => entry.type === 'call' && entry.id !== undefined)
  const id = first?.type === 'call' ? (first.id ?? 'null') : 'null'
  return { isBatch: true, entries: [mistake(id, codes.invalidRequest, 'batch too large')] }
}

function single(entry: MessageEntry): Entries {
  return { isBatch: false, entries: [entry] }
}

function mistake(id: string, code: number, message: string): MessageEntry {
  return { type: 'mistake', id, error: { code, message, data: undefined } }
}

/** The content of a body that is not JSON. */
export const parseMistake = single(mistake('null', codes.parse, 'parse error'))

function entryOf(wire: Json): MessageEntry {
  if (wire.type !== 'object') return mistake('null', codes.invalidRequest, 'invalid request')
  const id = memberOf(wire, 'id')
  const hasId = id !== undefined && id.type !== 'object' && id.type !== 'array'
  const method = textOrEmpty(memberOf(wire, 'method'))
  const params = memberOf(wire, 'params')
  if (textOrEmpty(memberOf(wire, 'jsonrpc')) === '2.0') {
    if (method !== '' && (hasId || id === undefined)) return call(id?.raw, method, params)
    const isAnswer = memberOf(wire, 'result') !== undefined || memberOf(wire, 'error') !== undefined
    if (hasId && method === '' && params === undefined && isAnswer) return { type: 'nothing' }
  }
  return mistake(hasId ? id.raw : 'null', codes.invalidRequest, 'invalid request')
}

function call(id: string | undefined, method: string, params: Json | undefined): MessageEntry {
  const length = Buffer.byteLength(method)
  if (length > methodNameMax) {
    const text = `method name too long: ${length} > ${methodNameMax}`
    return id === undefined ? { type: 'nothing' } : mistake(id, codes.invalidRequest, text)
  }
  return {
    type: 'call',
    id,
    method,
    params: params === undefined ? { form: 'absent' } : { form: 'json', text: params.raw, tree: params },
  }
}
