/**
 * A call as a value, `{ side, method, params }`, and as canonical text: the key that finds recorded
 * answers. Equivalent calls have the same key, whatever their ids, envelopes and spellings
 * (`mocks.md` §4.3). Only this file writes and reads keys.
 */
import { readBase64 } from '../../codec/base64.ts'
import { hexOf } from '../../codec/hex.ts'
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import { sideNames, type Side } from '../../settings/side.ts'
import type { WireParams } from '../../rpc/dialect.ts'
import type { Described } from '../../rpc/method.ts'
import { methodOf } from '../../rpc/sides.ts'
import { heightHeader } from '../../rpc/cosmos/height.ts'
import { memberTexts } from './slice.ts'

/** A call as sent: `params` is JSON text, `''` when absent, or the pairs of a query string. */
export type SentCall = {
  readonly side: Side
  readonly method: string
  readonly params: string | ReadonlyMap<string, string>
}

/** Returns the names of a CometBFT RPC method's positional parameters, in order. */
export type ParameterNames = (method: string) => readonly string[]

/** Converts the parameters of a request to those of a `SentCall`. */
export function sentParams(params: WireParams): SentCall['params'] {
  if (params.form === 'uri') return params.pairs
  if (params.form === 'absent') return ''
  const { text, height = '' } = params
  // The requested height is part of a call to the REST API or gRPC.
  const isLatest = height === '' || /^[+-]?0+$/.test(height)
  return isLatest || !text.startsWith('{')
    ? text
    : `{"${heightHeader}":${JSON.stringify(height)},${text.slice(1)}`.replace(/,}$/, '}')
}

/** Returns the key of a call; equivalent calls have the same key. */
export function callKey(call: SentCall, names: ParameterNames): string {
  const { side, method, params } = call
  const value =
    typeof params !== 'string'
      ? named([...params], method)
      : paramsOf(call, params === '' ? undefined : JSON.parse(params), names)
  return keyOfNormalized(side, method, value)
}

/** Returns the key for parameters read from a file, which may be in an older form. */
export function storedKey(call: Pick<SentCall, 'side' | 'method'>, params: string, names: ParameterNames): string {
  return keyOfNormalized(call.side, call.method, paramsOf(call, parseCanonicalJson(params), names))
}

/** Returns the key of a call whose parameters are already normalized. */
export function keyOfNormalized(side: Side, method: string, params: unknown): string {
  return keyOfText(side, method, canonicalJson(params))
}

/** Joins the parts of a key. A space ends the method, so spaces in its name are escaped. */
function keyOfText(side: Side, method: string, params: string): string {
  return `${side} ${method.replaceAll(' ', '%20')} ${params}`
}

/** Returns the key of a CometBFT RPC call with a height. */
export function keyAtHeight(method: string, height: number | string): string {
  return keyOfNormalized('comet', method, { height: String(height) })
}

/** Returns the key of a call to another method with the same parameters. */
export function keyOfOther(key: string, method: string): string {
  const { side, params } = keyParts(key)
  return keyOfText(side, method, params)
}

/** The parts of a key; `params` is canonical JSON text. */
export type KeyParts = { readonly side: Side; readonly method: string; readonly params: string }

/** Splits a key into its parts. */
export function keyParts(key: string): KeyParts {
  const first = key.indexOf(' ')
  const second = key.indexOf(' ', first + 1)
  const side = key.slice(0, first)
  const method = key.slice(first + 1, second < 0 ? undefined : second)
  return {
    side: sideNames.find((one) => one === side) ?? 'eth',
    method,
    params: second < 0 ? '' : key.slice(second + 1),
  }
}

/** Returns whether a key is of a call to the given method. */
export function isCallTo(side: Side, method: string, key: string): boolean {
  return key.startsWith(`${side} ${method} `)
}

/** Returns the height of a CometBFT RPC call with no other parameter; undefined for other calls. */
export function heightAsked(key: string): string | undefined {
  const { side, params } = keyParts(key)
  return side === 'comet' ? /^\{"height":"(\d+)"\}$/.exec(params)?.[1] : undefined
}

function paramsOf({ side, method }: Pick<SentCall, 'side' | 'method'>, value: unknown, names: ParameterNames): unknown {
  if (side === 'rest' || side === 'grpc') return value ?? {}
  if (side === 'eth') return ethParams(method, Array.isArray(value) ? value : [])
  if (!Array.isArray(value)) {
    const pairs = Object.entries(value ?? {}).map(([name, one]) => [name, scalar(one)] as const)
    return named(pairs, method)
  }
  const known = names(method)
  return named(
    value.map((one, at) => [known[at] ?? String(at), scalar(one)] as const),
    method,
  )
}

/** Returns CometBFT RPC parameters by name, without values that mean the same as an absent one. */
function named(pairs: readonly (readonly [string, string])[], method: string): unknown {
  const declared = methodOf({ side: 'comet', method })?.params ?? []
  const kept = pairs
    .map(([name, value]) => {
      const about = declared.find((one) => one.name === name)
      return { name, value: spelled(value, about?.bytes), unset: about?.unset ?? '' }
    })
    .filter(({ value, unset }) => value !== '' && value !== unset)
  return Object.fromEntries(kept.map(({ name, value }) => [name, value]))
}

/** Normalizes a value: query strings quote text, and have hex bytes where JSON has base64. */
function spelled(value: string, bytes: Described['bytes']): string {
  const plain = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  const digits = plain.replace(/^0x/, '').toLowerCase()
  if (bytes === 'digits') return digits
  if (bytes === 'hex') return `0x${digits}`
  if (bytes === undefined) return plain
  if (/^0x[0-9a-f]*$/i.test(plain)) return plain.toLowerCase()
  const decoded = readBase64(plain)
  return typeof decoded === 'string' ? plain : hexOf(decoded)
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? canonicalJson(value) : String(value)
}

/**
 * Normalizes the parameters of Ethereum JSON-RPC. Adds `latest` where a block is optional and
 * absent.
 */
function ethParams(method: string, params: readonly unknown[]): unknown {
  const declared = methodOf({ side: 'eth', method })?.params ?? []
  const state = declared.findIndex(({ role }) => role === 'state')
  const filled = params.length === state ? [...params, 'latest'] : params
  return filled.map((one, at) => ethValue(one, declared[at]?.role === 'filter'))
}

function ethValue(value: unknown, isFilter: boolean): unknown {
  if (typeof value === 'string') return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map((one) => ethValue(one, isFilter))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, one]) => one !== null)
  const names = new Set(members.map(([name]) => name))
  return Object.fromEntries(
    members.flatMap(([name, one]) => {
      if (name === 'data' && names.has('input')) return []
      const told = ethValue(one, isFilter)
      return [[name === 'data' ? 'input' : name, isFilter ? filterMember(name, told) : told] as const]
    }),
  )
}

/**
 * Normalizes a member of a log filter: alternatives are sorted, and a list of one becomes its item.
 */
function filterMember(name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const set = (list: readonly unknown[]) => {
    const sorted = list.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1))
    return sorted.length === 1 ? sorted[0] : sorted
  }
  if (name === 'address') return set(value)
  return value.map((one: unknown) => (Array.isArray(one) ? set(one) : one))
}

/** Returns the raw text of a message's parameters, or `''` if they are absent, null or empty. */
export function messageParams(message: ReadonlyMap<string, string>): string {
  const text = message.get('params') ?? ''
  return text === 'null' || memberTexts(text).size + text.length === 2 ? '' : text
}
