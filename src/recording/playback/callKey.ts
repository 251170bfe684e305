/**
 * What a call asks for, whatever way it was asked: ids, envelopes and spellings fall away
 * (`mocks.md` §4.3).
 */
import { canonicalJson } from '../../data/canonicalJson.ts'
import { parseCanonicalJson } from '../../data/parseCanonicalJson.ts'
import type { Side } from '../../node/input.ts'
import type { WireParams } from '../../rpc/dialect.ts'
import { memberTexts } from './slice.ts'

/** A call as it was sent: `params` is JSON text, '' when absent, or the pairs of a query string. */
export type SentCall = {
  readonly side: Side
  readonly method: string
  readonly params: string | ReadonlyMap<string, string>
}

/** Names of positional parameters of interface A, in order. */
export type Names = (method: string) => readonly string[]

/** Returns the parameters of a call as it came in, as a sent call has them. */
export function sentParams(params: WireParams): SentCall['params'] {
  return params.form === 'uri' ? params.pairs : params.form === 'json' ? params.text : ''
}

/** Returns the key of a call: calls that ask the same have the same. */
export function callKey(call: SentCall, names: Names): string {
  const { side, method, params } = call
  const value = typeof params !== 'string' ? named([...params], method)
    : paramsOf(call, params === '' ? undefined : JSON.parse(params), names)
  return joined(side, method, value)
}

/** Returns the key of parameters that stand in a file, in the form that a key had once. */
export function storedKey(
  call: Pick<SentCall, 'side' | 'method'>, params: string, names: Names,
): string {
  return joined(call.side, call.method, paramsOf(call, parseCanonicalJson(params), names))
}

/** A space ends the method. */
function joined(side: Side, method: string, value: unknown): string {
  return `${side} ${method.replaceAll(' ', '%20')} ${canonicalJson(value)}`
}

/** What a key is made of; `params` is canonical text. */
export type KeyParts = { readonly side: Side; readonly method: string; readonly params: string }

/** Returns the parts of a key. */
export function keyParts(key: string): KeyParts {
  const [side = '', method = ''] = key.split(' ', 2)
  return {
    side: side === 'comet' ? 'comet' : 'eth', method,
    params: key.slice(side.length + method.length + 2),
  }
}

function paramsOf(
  { side, method }: Pick<SentCall, 'side' | 'method'>, value: unknown, names: Names,
): unknown {
  if (side === 'eth') return ethParams(method, Array.isArray(value) ? value : [])
  if (!Array.isArray(value)) {
    const pairs = Object.entries(value ?? {}).map(([name, one]) => [name, scalar(one)] as const)
    return named(pairs, method)
  }
  const known = names(method)
  return named(value.map((one, at) => [known[at] ?? String(at), scalar(one)] as const), method)
}

/** What leaves a value as the node would take it: defaults are the same as nothing. */
const defaults: Readonly<Record<string, string>> = {
  height: '0', prove: 'false', page: '1', per_page: '30', order_by: 'asc', limit: '30',
}

/** Bytes that interface A takes as base64 in JSON and as hex in a query string. */
const bytesNames = new Set(['hash', 'tx', 'data', 'evidence'])

function named(pairs: readonly (readonly [string, string])[], method: string): unknown {
  const kept = pairs
    .map(([name, value]) => [name, valueOf(name, value, method)] as const)
    .filter(([name, value]) => value !== '' && defaults[name] !== value)
  return Object.fromEntries(kept)
}

function valueOf(name: string, value: string, method: string): string {
  const plain = value.startsWith('"') && value.endsWith('"') && value.length > 1
    ? value.slice(1, -1) : value
  if (method === 'abci_query' && name === 'data') return plain.replace(/^0x/, '').toLowerCase()
  // This one takes hex in JSON as well.
  if (method === 'header_by_hash' && name === 'hash') {
    return `0x${plain.replace(/^0x/, '').toLowerCase()}`
  }
  if (!bytesNames.has(name)) return plain
  if (/^0x[0-9a-f]*$/i.test(plain)) return plain.toLowerCase()
  return hexOfBase64(plain) ?? plain
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Returns lower-case hex behind 0x, or undefined where the text is not base64. */
function hexOfBase64(text: string): string | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bits = [...text.replaceAll('=', '')]
    .map((digit) => digits.indexOf(digit).toString(2).padStart(6, '0')).join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return `0x${bytes.map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, '0')).join('')}`
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? canonicalJson(value) : String(value)
}

/**
 * Where the block that a call means stands, for methods that mean the latest when it is left out.
 */
const blockAt: Readonly<Record<string, number>> = {
  eth_call: 1, eth_estimateGas: 1, eth_getBalance: 1, eth_getCode: 1, eth_getTransactionCount: 1,
  eth_getStorageAt: 2, eth_createAccessList: 1,
}

function ethParams(method: string, params: readonly unknown[]): unknown {
  const block = blockAt[method]
  const filled = block !== undefined && params.length === block ? [...params, 'latest'] : params
  const isLogs = method === 'eth_getLogs' || method === 'eth_newFilter'
    || method === 'eth_subscribe'
  return filled.map((one) => ethValue(one, isLogs))
}

function ethValue(value: unknown, isFilter: boolean): unknown {
  if (typeof value === 'string') return /^0x[0-9a-f]*$/i.test(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map((one) => ethValue(one, isFilter))
  if (value === null || typeof value !== 'object') return value
  const members = Object.entries(value).filter(([, one]) => one !== null)
  const names = new Set(members.map(([name]) => name))
  return Object.fromEntries(members.flatMap(([name, one]) => {
    if (name === 'data' && names.has('input')) return []
    const told = ethValue(one, isFilter)
    return [[name === 'data' ? 'input' : name, isFilter ? filterMember(name, told) : told] as const]
  }))
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
