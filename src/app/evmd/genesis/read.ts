/** Reads a genesis document's `app_state`: plain JSON values, with the path in every error. */
import { readBech32 } from '../../../codec/bech32.ts'
import { bytesOfHex } from '../../../codec/hex.ts'
import type { Message } from '../../../codec/protobuf/message.ts'
import { namedCodec } from '../../../codec/schema/codecs.ts'
import { fromJson } from '../../../codec/schema/protoJsonRead.ts'
import { SimError, isExpected, unlessRefused } from '../../../errors.ts'
import { type Addressing, type AddressKind, prefixOf } from '../address.ts'
import { decimalOf } from '../decimal.ts'
import type { Coin } from '../coins.ts'
import { isJsonObject } from '../../../data/members.ts'

/** An object of the document, and its path. All sections of a document share `namesRead`. */
export type Section = {
  readonly path: string
  readonly value: Readonly<Record<string, unknown>>
  /** The member names read from each object of the document so far. All others are unknown. */
  readonly namesRead: Map<object, Set<string>>
}

/** Returns a member of a section and marks it as read. */
export function memberOf({ value, namesRead }: Section, name: string): unknown {
  const names = namesRead.get(value) ?? new Set()
  namesRead.set(value, names.add(name))
  return value[name]
}

/** Returns the root of a document, of which nothing has been read. */
export function rootSection(document: unknown, path: string): Section {
  return sectionOf(document, path, new Map())
}

/** Returns a section for a parsed JSON value; empty if the value is null or missing. */
function sectionOf(value: unknown, path: string, namesRead: Section['namesRead']): Section {
  if (value === null || value === undefined) return { path, value: {}, namesRead }
  if (isJsonObject(value)) return { path, value, namesRead }
  throw new InvalidGenesis(path, 'an object')
}

/** Returns the section under a member name. */
export function section(from: Section, name: string): Section {
  return sectionOf(memberOf(from, name), `${from.path}.${name}`, from.namesRead)
}

/** Returns the objects in a list; empty if it is null or missing. */
export function list(from: Section, name: string): readonly Section[] {
  const path = `${from.path}.${name}`
  return items(memberOf(from, name), path).map((item, index) => sectionOf(item, `${path}[${index}]`, from.namesRead))
}

/** Returns a list of strings. */
export function texts(from: Section, name: string): readonly string[] {
  const path = `${from.path}.${name}`
  return items(memberOf(from, name), path).map((item) => {
    if (typeof item !== 'string') throw new InvalidGenesis(path, 'texts')
    return item
  })
}

/** Returns a string; '' if missing. */
export function text(from: Section, name: string): string {
  const found = memberOf(from, name)
  if (found === undefined || found === null) return ''
  if (typeof found === 'string') return found
  throw new InvalidGenesis(`${from.path}.${name}`, 'a text')
}

/** Returns an integer given as text or number; 0 if missing. */
export function integer(from: Section, name: string): bigint {
  const found = memberOf(from, name)
  if (found === undefined || found === null || found === '') return 0n
  if (typeof found === 'number' && Number.isSafeInteger(found)) return BigInt(found)
  if (typeof found === 'string' && /^-?\d+$/.test(found)) return BigInt(found)
  throw new InvalidGenesis(`${from.path}.${name}`, 'an integer')
}

/** Returns a boolean; false if missing. */
export function flag(from: Section, name: string): boolean {
  const found = memberOf(from, name)
  if (found === undefined || found === null) return false
  if (typeof found === 'boolean') return found
  throw new InvalidGenesis(`${from.path}.${name}`, 'true or false')
}

function items(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return []
  if (Array.isArray(value)) return value
  throw new InvalidGenesis(path, 'a list')
}

/** Returns an 18-place decimal; `otherwise` if missing. Without one, '' throws `InvalidGenesis`. */
export function decimal(section: Section, name: string, otherwise = '0'): bigint {
  const value = decimalOf(text(section, name) || otherwise)
  if (value !== undefined) return value
  throw new InvalidGenesis(`${section.path}.${name}`, 'a decimal number')
}

/** Returns a duration such as `1814400s` in nanoseconds; `otherwise` if missing. */
export function duration(section: Section, name: string, otherwise = '0s'): bigint {
  const match = /^(\d+)(?:\.(\d{1,9}))?s$/.exec(text(section, name) || otherwise)
  if (match === null) throw new InvalidGenesis(`${section.path}.${name}`, 'a duration such as 30s')
  return BigInt(match[1] ?? '0') * 1_000_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'))
}

/** Returns the bytes that a text spells in hex, with or without 0x. */
export function hexBytes(section: Section, name: string): Uint8Array {
  const hex = text(section, name)
  return bytesOfHex(hex.startsWith('0x') ? hex : `0x${hex}`, `${section.path}.${name}`)
}

/** Returns coins with integer amounts. */
export function coins(section: Section, name: string): readonly Coin[] {
  return list(section, name).map((coin) => ({ denom: text(coin, 'denom'), amount: integer(coin, 'amount') }))
}

/** Returns coins with decimal amounts. */
export function decCoins(section: Section, name: string): readonly Coin[] {
  return list(section, name).map((coin) => ({ denom: text(coin, 'denom'), amount: decimal(coin, 'amount') }))
}

/** Returns the bytes of an address in bech32. */
export function address(at: Addressing, section: Section, name: string, kind: AddressKind = 'account'): Uint8Array {
  const spelled = text(section, name)
  const prefix = prefixOf(at, kind)
  const found = unlessRefused(() => readBech32(spelled))
  if (found?.prefix === prefix) return found.bytes
  throw new InvalidGenesis(`${section.path}.${name}`, `a ${prefix} address`)
}

/** Returns an integer; `otherwise` if missing. */
export function integerOr(section: Section, name: string, otherwise: bigint): bigint {
  return memberOf(section, name) === undefined ? otherwise : integer(section, name)
}

/**
 * Returns the message that a section spells in the SDK's JSON, and marks everything in it as read.
 * Throws `InvalidGenesis` for JSON that the node cannot read as this message.
 */
export function messageIn<Value>({ path, value, namesRead }: Section, name: string, codec: Message<Value>): Value {
  markRead(value, namesRead)
  return placed(path, `a ${name}`, () => codec.decode(namedCodec(name).encode(fromJson(name, value))))
}

/** Returns the result of work. If an error says what is wrong, throws `InvalidGenesis` with the path and its text. */
export function placed<Result>(path: string, expected: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!isExpected(error) || error instanceof InvalidGenesis) throw error
    throw new InvalidGenesis(path, `${expected}: ${error.message}`)
  }
}

function markRead(value: unknown, namesRead: Section['namesRead']): void {
  if (typeof value !== 'object' || value === null) return
  namesRead.set(value, new Set(Object.keys(value)))
  for (const inner of Object.values(value)) markRead(inner, namesRead)
}

/** Returns whether a section exists in the document. */
export function isThere({ value }: Section): boolean {
  return Object.keys(value).length > 0
}

/** A genesis document cannot be loaded; the message names the key. */
export class InvalidGenesis extends SimError {
  constructor(path: string, expected: string) {
    super('INVALID_GENESIS', `genesis: ${path} must be ${expected}`, {
      hint: 'Correct the genesis document, or start from the one that chainstage writes.',
    })
  }
}
