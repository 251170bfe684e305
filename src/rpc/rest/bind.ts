/**
 * Builds the request message from path, query and body of a REST call (`cosmos-rest-grpc.md` §1).
 */
import type { Field, MessageDescriptor } from '../../codec/schema/descriptor.ts'
import type { MessageValue } from '../../codec/schema/codecs.ts'
import { messageDescriptor } from '../../codec/schema/lookup.ts'
import { fromJson, NilMessage, ProtoJsonError } from '../../codec/schema/protoJsonRead.ts'
import { GrpcStatus } from '../../app/grpcStatus.ts'
import { unescapeGo } from '../comet/path.ts'
import { jsonValue } from './jsonBody.ts'
import type { Matched } from './routes.ts'
import { badRequest, restScalar } from './scalars.ts'

type Draft = { [name: string]: unknown }

/** The parts of a call besides its route; the query is as sent. */
export type RestCallParts = { readonly query: string; readonly body: string }

/**
 * Returns the request message, ready to be encoded. Throws `GrpcStatus` with the gateway's text.
 */
export function boundRequest({ route, values }: Matched, { query, body }: RestCallParts): MessageValue {
  const descriptor = messageDescriptor(route.method.input)
  const request: Draft = route.body === '' ? {} : bodyOf(descriptor.name, body)
  for (const [name, text] of values) bindPath(request, descriptor, { name, text })
  const inPath = new Set(values.map(([name]) => name))
  const takesQuery = route.body === '' && descriptor.fields.some(({ name }) => !inPath.has(name))
  if (takesQuery) bindQuery(request, descriptor, { query, inPath })
  return request
}

function bodyOf(type: string, body: string): Draft {
  if (body.trim() === '') return {}
  const json = jsonValue(body)
  if (json === null) return {}
  try {
    return { ...fromJson(type, json, { ignoresUnknown: true, unresolved }) }
  } catch (error) {
    if (!(error instanceof ProtoJsonError) || error instanceof NilMessage) throw error
    throw badRequest(error.message)
  }
}

function unresolved(typeUrl: string): string {
  return `unknown message type "${typeUrl.slice(typeUrl.lastIndexOf('/') + 1)}"`
}

type PathParameter = { readonly name: string; readonly text: string }

function bindPath(request: Draft, descriptor: MessageDescriptor, { name, text }: PathParameter): void {
  const field = fieldOf(descriptor, name)
  if (field === undefined) return
  try {
    request[field.jsonName] = field.isList
      ? text.split(',').map((one) => restScalar(field, one, descriptor))
      : restScalar(field, text, descriptor)
  } catch (error) {
    if (!(error instanceof GrpcStatus)) throw error
    throw badRequest(`type mismatch, parameter: ${name}, error: ${error.message}`)
  }
}

type QueryString = { readonly query: string; readonly inPath: ReadonlySet<string> }

function bindQuery(request: Draft, descriptor: MessageDescriptor, { query, inPath }: QueryString): void {
  for (const [key, texts] of valuesByKey(query)) {
    const [, outer, inner] = /^(.*)\[(.*)\]$/s.exec(key) ?? []
    const path = (outer ?? key).split('.')
    if (inPath.has(path[0] ?? '')) continue
    setAt(request, descriptor, { path, texts: inner === undefined ? texts : [inner, ...texts] })
  }
}

/** Go reads the whole query first and then reports its first error. */
function valuesByKey(query: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>()
  let complaint: string | undefined
  for (const pair of query.split('&')) {
    if (pair === '') continue
    if (pair.includes(';')) {
      complaint ??= 'invalid semicolon separator in query'
      continue
    }
    const at = pair.indexOf('=')
    const key = unescaped(at < 0 ? pair : pair.slice(0, at))
    const value = unescaped(at < 0 ? '' : pair.slice(at + 1))
    const bad = key instanceof BadEscape ? key : value
    if (key instanceof BadEscape || value instanceof BadEscape) {
      complaint ??= `invalid URL escape ${JSON.stringify((bad as BadEscape).text)}`
      continue
    }
    const before = found.get(key)
    if (before === undefined) found.set(key, [value])
    else before.push(value)
  }
  if (complaint !== undefined) throw badRequest(complaint)
  return found
}

class BadEscape {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function unescaped(text: string): string | BadEscape {
  return unescapeGo(text, 'plusIsBlank') ?? new BadEscape(/%(?![0-9a-fA-F]{2})[^]{0,2}/.exec(text)?.[0] ?? text)
}

/** The names that lead to a field, the number of those already followed, and the field's values. */
type PathPlace = { readonly path: readonly string[]; readonly depth?: number; readonly texts: readonly string[] }

/** Names without a field are ignored. If a single field has several values, the first counts. */
function setAt(request: Draft, descriptor: MessageDescriptor, { path, depth = 0, texts }: PathPlace): void {
  const field = fieldOf(descriptor, path[depth] ?? '')
  if (field === undefined) return
  const next = path[depth + 1]
  if (next === undefined) {
    const [first = ''] = texts
    request[field.jsonName] = field.isList
      ? texts.map((text) => restScalar(field, text, descriptor))
      : restScalar(field, first, descriptor)
    return
  }
  if (field.isList || field.kind === 'bytes') throw badRequest(`unexpected repeated field in ${path.join('.')}`)
  if (field.kind !== 'message') {
    throw badRequest(`unexpected nested field ${next} in ${path.slice(0, depth + 1).join('.')}`)
  }
  const inner = { ...(request[field.jsonName] as Draft | undefined) }
  request[field.jsonName] = inner
  setAt(inner, messageDescriptor(field.typeName), { path, depth: depth + 1, texts })
}

function fieldOf({ fields }: MessageDescriptor, name: string): Field | undefined {
  // The gateway keeps no JSON name that equals the name, so an empty one is that of the first such field.
  if (name === '') return fields.find((field) => field.jsonName === field.name)
  return fields.find((field) => field.name === name) ?? fields.find((field) => field.jsonName === name)
}
