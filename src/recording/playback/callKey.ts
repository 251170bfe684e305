/**
 * A call as a value, `{ side, method, params }`, and its one canonical text, the key by which
 * recordings find answers. Calls that ask the same have the same key: ids, envelopes and spellings
 * fall away (`mocks.md` §4.3). Keys are written and read here alone.
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

/** A call as it was sent: `params` is JSON text, '' when absent, or the pairs of a query string. */
export type SentCall = {
  readonly side: Side
  readonly method: string
  readonly params: string | ReadonlyMap<string, string>
}

/** Names of positional parameters of CometBFT RPC, in order. */
export type Names = (method: string) => readonly string[]

/** Returns the parameters of a call as it came in, as a sent call has them. */
export function sentParams(params: WireParams): SentCall['params'] {
  if (params.form === 'uri') return params.pairs
  if (params.form === 'absent') return ''
  const { text, height = '' } = params
  // The state that is asked is part of a call to a service.
  const isLatest = height === '' || /^[+-]?0+$/.test(height)
  return isLatest || !text.startsWith('{')
    ? text
    : `{"${heightHeader}":${JSON.stringify(height)},${text.slice(1)}`.replace(/,}$/, '}')
}

/** Returns the key of a call: calls that ask the same have the same. */
export function callKey(call: SentCall, names: Names): string {
  const { side, method, params } = call
  const value =
    typeof params !== 'string'
      ? named([...params], method)
      : paramsOf(call, params === '' ? undefined : JSON.parse(params), names)
  return keyOf(side, method, value)
}

/** Returns the key of parameters that stand in a file, in the form that a key had once. */
export function storedKey(call: Pick<SentCall, 'side' | 'method'>, params: string, names: Names): string {
  return keyOf(call.side, call.method, paramsOf(call, parseCanonicalJson(params), names))
}

/** Returns the key of a call with parameters in their canonical form. */
export function keyOf(side: Side, method: string, params: unknown): string {
  return keyOfText(side, method, canonicalJson(params))
}

/** A space ends the method. */
function keyOfText(side: Side, method: string, params: string): string {
  return `${side} ${method.replaceAll(' ', '%20')} ${params}`
}

/** Returns the key of a call of CometBFT RPC about a height. */
export function keyAtHeight(method: string, height: number | string): string {
  return keyOf('comet', method, { height: String(height) })
}

/** Returns the key of a call to another method with the parameters of a call. */
export function keyOfOther(key: string, method: string): string {
  const { side, params } = keyParts(key)
  return keyOfText(side, method, params)
}

/** What a key is made of; `params` is canonical text. */
export type KeyParts = { readonly side: Side; readonly method: string; readonly params: string }

/** Returns the parts of a key. */
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

/** Returns whether a key is of a call to a method. */
export function isCallTo(side: Side, method: string, key: string): boolean {
  return key.startsWith(`${side} ${method} `)
}

/** Returns the height of a call of CometBFT RPC that names nothing else; undefined for others. */
export function heightAsked(key: string): string | undefined {
  const { side, params } = keyParts(key)
  return side === 'comet' ? /^\{"height":"(\d+)"\}$/.exec(params)?.[1] : undefined
}

function paramsOf({ side, method }: Pick<SentCall, 'side' | 'method'>, value: unknown, names: Names): unknown {
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

/** Parameters of CometBFT RPC by name; a value that means the same as none is left out. */
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

/** Query strings quote texts, and spell bytes as hex where JSON has base64. */
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

/** State is read at the latest block when none is named. */
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

/** Alternatives of a log filter are sets; a list of one means the one. */
function filterMember(name: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const set = (list: readonly unknown[]) => {
    const sorted = list.toSorted((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1))
    return sorted.length === 1 ? sorted[0] : sorted
  }
  if (name === 'address') return set(value)
  return value.map((one: unknown) => (Array.isArray(one) ? set(one) : one))
}

/** Returns the raw text of parameters of a message, '' when there are none. */
export function paramsText(message: ReadonlyMap<string, string>): string {
  const text = message.get('params') ?? ''
  return text === 'null' || memberTexts(text).size + text.length === 2 ? '' : text
}
