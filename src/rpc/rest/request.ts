/** Writes a call as a request to the REST API: the inverse of `call.ts`. */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { membersOf, type Members } from '../../data/members.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import { isExpected } from '../../errors.ts'
import type { Field, MessageDescriptor } from '../../codec/schema/descriptor.ts'
import { findEnum, messageDescriptor, type HttpRoute } from '../../codec/schema/lookup.ts'
import { heightHeader } from '../cosmos/height.ts'
import { methodName } from '../cosmos/table.ts'
import { restCall } from './call.ts'
import { allRoutes } from './routes.ts'

/** A request without its host; `height` is the value of the header that selects the state. */
export type RestRequest = {
  readonly verb: string
  readonly target: string
  readonly body: string
  readonly height: string | undefined
}

/**
 * Returns a request of a call, with the parameters of its key as JSON text; undefined if no request
 * is read as the same call.
 */
export function restRequest(method: string, params: string): RestRequest | undefined {
  const { [heightHeader]: height, ...message } = membersOf(parseCanonicalJson(params))
  const requests = allRoutes()
    .filter(({ service, method: one }) => methodName(service, one) === method)
    .map((route) => ({ ...written(route, message), height: typeof height === 'string' ? height : undefined }))
  return requests.find((request) => isReadAs(request, message))
}

function written({ verb, path, body, method }: HttpRoute, message: Members) {
  const inPath = new Set<string>()
  const filled = path.replaceAll(/\{([^=}]+)(=\*\*)?\}/g, (_, field: string, rest: string | undefined) => {
    inPath.add(field)
    const value = [message[field]].flat().map(text).map(encodeURIComponent).join(',')
    return rest === undefined ? value : value.replaceAll('%2F', '/')
  })
  if (body !== '') return { verb, target: filled, body: canonicalJson(message) }
  const pairs = pairsIn(messageDescriptor(method.input), message).filter(([name]) => !inPath.has(name))
  const query = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return { verb, target: query === '' ? filled : `${filled}?${query}`, body: '' }
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** Returns the query parameters of a message's fields; an absent one is the default of its type. */
function pairsIn(descriptor: MessageDescriptor, message: Members): Pairs {
  return Object.entries(message).flatMap(([name, value]) => {
    const field = descriptor.fields.find((one) => one.name === name)
    return field === undefined ? [] : pairsOf(field, value)
  })
}

function pairsOf(field: Field, value: unknown): Pairs {
  const { name } = field
  if (Array.isArray(value)) return value.map((one) => [name, scalarText(field, one)])
  if (typeof value === 'object' && value !== null) {
    const inner = pairsIn(messageDescriptor(field.typeName), membersOf(value))
    // A message of defaults differs from an absent one, so one of them is written.
    const [some, one] = Object.entries(value).find(([, each]) => isZero(each)) ?? []
    const pairs = inner.length === 0 && some !== undefined ? [[some, text(one)] as const] : inner
    return pairs.map(([nested, each]) => [`${name}.${nested}`, each])
  }
  return value === null || value === '' || isZero(value) ? [] : [[name, scalarText(field, value)]]
}

function isZero(value: unknown): boolean {
  return value === false || value === 0 || value === '0'
}

/** Enumerations are written as numbers, because Go does not know all of their names. */
function scalarText({ kind, typeName }: Field, value: unknown): string {
  const found = kind === 'enum' ? findEnum(typeName)?.values.find(({ name }) => name === value) : undefined
  return found === undefined ? text(value) : String(found.number)
}

function text(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value)
}

function isReadAs(request: RestRequest, message: object): boolean {
  try {
    const params = restCall(request)?.params
    return params?.form === 'json' && canonicalJson(parseCanonicalJson(params.text)) === canonicalJson(message)
  } catch (error) {
    if (!isExpected(error)) throw error
    return false
  }
}
