/** Builds the REST request for a call: the reverse of `call.ts`. */
import { findEnum, messageDescriptor } from '../../codec/schema/lookup.ts'
import { methodName } from '../cosmos/table.ts'
import { allRoutes } from './routes.ts'

/** `target` is a path with its query; `body` is '' for verbs without one. */
export type RestRequest = { readonly verb: string; readonly target: string; readonly body: string }

type Members = Readonly<Record<string, unknown>>
type Member = readonly [path: string, value: string]

/**
 * Returns the request for the first route of a method, or undefined if it has none. `text` is the
 * JSON of the request message.
 *
 *     cosmos.bank.v1beta1.Query/Balance {"address":"cosmos1…","denom":"atest"}
 *     GET /cosmos/bank/v1beta1/balances/cosmos1…/by_denom?denom=atest
 */
export function restRequest(name: string, text: string): RestRequest | undefined {
  const route = allRoutes().find(({ service, method }) => methodName(service, method) === name)
  if (route === undefined) return undefined
  const members = numbered(route.method.input, JSON.parse(text) as Members)
  const inPath = new Set<string>()
  const path = route.path.replace(/\{([^=}]+)(=\*\*)?\}/g, (_all, field: string, rest: string | undefined) => {
    inPath.add(field)
    const value = String(members[field] ?? '')
    return rest === undefined ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/')
  })
  if (route.body !== '') return { verb: route.verb, target: path, body: text }
  const query = Object.entries(members)
    .filter(([field]) => !inPath.has(field))
    .flatMap(([field, value]) => flat(field, value))
    .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
    .join('&')
  return { verb: route.verb, target: query === '' ? path : `${path}?${query}`, body: '' }
}

/** Enumerations become numbers, because the gateway does not know all their names. */
function numbered(type: string, members: Members): Members {
  const types = new Map(messageDescriptor(type).fields.map(({ name, typeName }) => [name, typeName]))
  const numberOf = (field: string, value: unknown) =>
    findEnum(types.get(field) ?? '')?.values.find(({ name }) => name === value)?.number ?? value
  return Object.fromEntries(Object.entries(members).map(([field, value]) => [field, numberOf(field, value)]))
}

/** Values that equal the default are omitted. */
function flat(path: string, value: unknown): readonly Member[] {
  if (value === null || value === '' || value === false || value === '0' || value === 0) return []
  if (Array.isArray(value)) return value.flatMap((one: unknown) => [[path, String(one)] as const])
  if (typeof value !== 'object') return [[path, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) => flat(`${path}.${name}`, inner))
}
