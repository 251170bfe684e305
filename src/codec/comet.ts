import { zeroTime, type Time } from '../data/time.ts'
import { SimError } from '../errors.ts'
import { base64Of, readBase64, readGoHex } from './base64.ts'
import { type Codec, type Schema, mismatch } from './codec.ts'
import { DecodeError, mismatchError } from './decodeError.ts'
import { goRanges, type IntegerKind } from './goIntegers.ts'
import { type Json, type JsonMember, JsonSyntaxError, parseJson } from './goJson.ts'
import type { Plain } from './goJsonWrite.ts'
import { goQuote } from './goText.ts'
import { plainHexOf } from './hex.ts'
import { formatTime, parseTime, TimeSyntaxError } from './time.ts'

/** The kind of a parameter for the URI rules, in the words that Go prints (comet-rpc.md §2.2). */
export type GoKind =
  | 'int64'
  | 'int'
  | 'uint'
  | 'uint64'
  | 'int32'
  | 'string'
  | 'bytes'
  | 'bool'
  | 'slice'
  | 'struct'
  | 'interface'

/**
 * A codec of CometBFT's own JSON layer. `read` takes the raw JSON text of one value, because that
 * layer inspects the text before parsing it. A URI argument need not be JSON.
 */
export type CometCodec<Value> = Codec<Value> & {
  readonly kind: GoKind
  read(raw: string, path: string): Value
  absent(): Value
}

type Parts<Value> = {
  readonly kind: GoKind
  readonly schema: Schema
  readonly zero: Value
  readonly read: (raw: string, path: string) => Value
  readonly encode: (value: Value) => Plain
}

/**
 * Returns a codec that decodes null and absence as its Go type's zero value (comet-rpc.md §0.4).
 */
export function cometCodec<Value>({ kind, schema, zero, read, encode }: Parts<Value>): CometCodec<Value> {
  const readOrZero = (raw: string, path: string): Value => (raw === 'null' ? zero : read(raw, path))
  return {
    kind,
    schema,
    encode,
    read: readOrZero,
    decode: (wire, path) => readOrZero(wire.raw, path),
    absent: () => zero,
  }
}

/** Returns the codec of a Go pointer: null and absence decode as undefined. */
export function pointer<Value>(codec: CometCodec<Value>): CometCodec<Value | undefined> {
  return cometCodec<Value | undefined>({
    kind: codec.kind,
    schema: { anyOf: [codec.schema, { type: 'null' }] },
    zero: undefined,
    read: (raw, path) => codec.read(raw, path),
    encode: (value) => (value === undefined ? null : codec.encode(value)),
  })
}

/** Codecs of 64-bit integers, which are decimal strings on the wire. */
export const int64: CometCodec<bigint> = integerText('int64')
export const int: CometCodec<bigint> = integerText('int')
export const uint: CometCodec<bigint> = integerText('uint')
export const uint64: CometCodec<bigint> = integerText('uint64')

/** Codec of 32-bit integers, which are JSON numbers. */
export const int32: CometCodec<number> = cometCodec({
  kind: 'int32',
  schema: { type: 'integer' },
  zero: 0,
  read: (raw, path) => Number(readInteger(raw, path, 'int32')),
  encode: (value) => value,
})

/** Codec of booleans. */
export const bool: CometCodec<boolean> = cometCodec({
  kind: 'bool',
  schema: { type: 'boolean' },
  zero: false,
  read: (raw, path) => {
    const wire = parse(raw, path)
    if (wire.type === 'bool') return wire.value
    throw mismatch(wire, path, 'bool')
  },
  encode: (value) => value,
})

/** Codec of strings. */
export const string: CometCodec<string> = cometCodec({
  kind: 'string',
  schema: { type: 'string' },
  zero: '',
  read: readString,
  encode: (value) => value,
})

/**
 * Returns the codec of bytes as base64; a list of numbers is also accepted (corrections-a §A 12).
 */
export function base64(goType = '[]uint8'): CometCodec<Uint8Array> {
  return cometCodec({
    kind: 'bytes',
    schema: { type: 'string', contentEncoding: 'base64' },
    zero: new Uint8Array(0),
    read: (raw, path) => readBytes(parse(raw, path), path, goType),
    encode: base64Of,
  })
}

/** Codec of bytes as base64. Nil (undefined) is null, unlike empty bytes (comet-rpc.md §0.2). */
export const base64OrNil: CometCodec<Uint8Array | undefined> = pointer(base64())

/** Codec of HexBytes: accepts hex in either case and writes upper case. */
export const upperHex: CometCodec<Uint8Array> = cometCodec({
  kind: 'bytes',
  schema: { type: 'string', pattern: '^([0-9a-fA-F]{2})*$' },
  zero: new Uint8Array(0),
  read: (raw, path) => {
    const quoted = raw.length >= 2 && raw.startsWith('"') && raw.endsWith('"')
    if (!quoted)
      throw failure(path, {
        expected: 'a hex text',
        received: raw,
        text: `invalid hex string: ${raw}`,
      })
    return bytesOr(readGoHex(raw.slice(1, -1)), raw, path)
  },
  encode: upperHexOf,
})

/** Codec of RFC 3339 times in UTC. */
export const time: CometCodec<Time> = cometCodec({
  kind: 'struct',
  schema: { type: 'string', format: 'date-time' },
  zero: zeroTime,
  read: readTime,
  encode: formatTime,
})

/** Returns the codec of a list, null being empty. Each element is read from its raw text. */
export function list<Item>(item: CometCodec<Item>): CometCodec<readonly Item[]> {
  return cometCodec<readonly Item[]>({
    kind: 'slice',
    schema: { type: 'array', items: item.schema },
    zero: [],
    read: (raw, path) => {
      const wire = parse(raw, path)
      if (wire.type !== 'array') throw mismatch(wire, path, '[]json.RawMessage')
      return wire.items.map((each, index) => item.read(each.raw, `${path}[${index}]`))
    },
    encode: (value) => value.map((each) => item.encode(each)),
  })
}

/** Returns bytes as upper-case hex digits. */
export function upperHexOf(bytes: Uint8Array): string {
  return plainHexOf(bytes).toUpperCase()
}

/**
 * Returns the last member with exactly this name. CometBFT reads objects into maps, so case matters
 * (comet-rpc.md §0.4).
 */
export function exactMember(members: readonly JsonMember[], name: string): Json | undefined {
  return members.findLast(([each]) => each === name)?.[1]
}

/** Returns the JSON tree of a raw text. Throws DecodeError with Go's syntax error. */
export function parse(raw: string, path: string): Json {
  try {
    return parseJson(raw)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw failure(path, { expected: 'JSON', received: raw, text: error.message })
  }
}

/** Returns the error for an unexpected raw text, in the node's wording. */
export function failure(path: string, what: { expected: string; received: string; text: string }): DecodeError {
  const { expected, received, text } = what
  return new DecodeError({ path, expected, received: received.slice(0, 80), text })
}

function integerText(kind: 'int64' | 'int' | 'uint' | 'uint64'): CometCodec<bigint> {
  return cometCodec({
    kind,
    schema: { type: 'string', pattern: '^-?[0-9]+$' },
    zero: 0n,
    read: (raw, path) => {
      if (raw === '"') throw new GoPanic('runtime error: slice bounds out of range [1:0]')
      if (!raw.startsWith('"') || !raw.endsWith('"')) {
        const text = `invalid 64-bit integer encoding ${goQuote(raw)}, expected string`
        throw failure(path, { expected: 'a decimal text', received: raw, text })
      }
      return readInteger(raw.slice(1, -1), path, kind)
    },
    encode: (value) => value.toString(),
  })
}

// The quoted text is parsed as JSON again: " 5" is a number, "05" is not (corrections-a §A 11).
function readInteger(raw: string, path: string, goType: IntegerKind): bigint {
  const wire = parse(raw, path)
  if (wire.type === 'null') return 0n
  if (wire.type !== 'number') throw mismatch(wire, path, goType)
  const [min, max] = goRanges[goType]
  const value = /^-?\d+$/.test(wire.raw) ? BigInt(wire.raw) : undefined
  const signed = min < 0n || !wire.raw.startsWith('-')
  if (value !== undefined && signed && value >= min && value <= max) return value
  throw mismatchError(path, { value: `number ${wire.raw}`, goType }, wire.raw)
}

function readString(raw: string, path: string): string {
  const wire = parse(raw, path)
  if (wire.type === 'string') return wire.value
  throw mismatch(wire, path, 'string')
}

function readBytes(wire: Json, path: string, goType: string): Uint8Array {
  if (wire.type === 'string') return bytesOr(readBase64(wire.value), wire.raw, path)
  if (wire.type !== 'array') throw mismatch(wire, path, goType)
  const bytes = wire.items.map((item) => Number(readInteger(item.raw, path, 'uint8')))
  return Uint8Array.from(bytes)
}

function bytesOr(result: Uint8Array | string, raw: string, path: string): Uint8Array {
  if (typeof result !== 'string') return result
  throw failure(path, { expected: 'bytes', received: raw, text: result })
}

function readTime(raw: string, path: string): Time {
  const expected = 'an RFC 3339 time in UTC'
  if (raw.length < 2 || !raw.startsWith('"') || !raw.endsWith('"')) {
    const text = `JSON time must be an RFC3339 string, but got ${goQuote(raw)}`
    throw failure(path, { expected, received: raw, text })
  }
  if (!raw.endsWith('Z"')) {
    const text = `JSON time must be UTC and end with 'Z', but got ${goQuote(raw)}`
    throw failure(path, { expected, received: raw, text })
  }
  try {
    return parseTime(raw.slice(1, -1))
  } catch (error) {
    if (!(error instanceof TimeSyntaxError)) throw error
    throw failure(path, { expected, received: raw, text: error.message })
  }
}

/** Go's error text for dereferencing a nil pointer. */
export const nilPointer = 'runtime error: invalid memory address or nil pointer dereference'

/** Returns Go's error text for an index beyond the end of a list. */
export function outOfRange(index: number, { length }: ArrayLike<unknown>): string {
  return `runtime error: index out of range [${index}] with length ${length}`
}

/**
 * Input on which the real node panics; the transport responds as it does to a panicking handler.
 */
export class GoPanic extends SimError {
  constructor(text: string) {
    super('GO_PANIC', text, { hint: 'The real node panics on this input and recovers.' })
  }
}
