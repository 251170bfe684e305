/** Converts JSON to protobuf messages as the SDK does (gogoproto jsonpb). */
import { SimError } from '../../errors.ts'
import { readBase64 } from '../base64.ts'
import { nilPointer } from '../comet.ts'
import { bigIntegerOf, goRanges, type IntegerKind } from '../goIntegers.ts'
import { type Json, JsonSyntaxError, parseJson } from '../goJson.ts'
import { goQuote } from '../goText.ts'
import type { Time } from '../../data/time.ts'
import { goDurationNanos, InvalidDuration } from '../../settings/duration.ts'
import { parseTime, TimeSyntaxError } from '../time.ts'
import type { Packed } from './amino.ts'
import { decType, fieldTypeOf, intType, isNumber, type MessageValue, namedCodec } from './codecs.ts'
import { unpointed } from './decimals.ts'
import type { Field } from './descriptor.ts'
import { isRegistered } from './files.ts'
import { findEnum, messageDescriptor } from './lookup.ts'

/** A number as it was written, where `JSON.parse` would lose its digits or its form. */
export class SpelledNumber {
  readonly raw: string

  constructor(raw: string) {
    this.raw = raw
  }
}

type Options = {
  /** Ignores unknown members instead of rejecting them. */
  readonly ignoresUnknown?: boolean
  /** Returns the error text for an unknown packed type; the SDK's registry and jsonpb differ. */
  readonly unresolved?: (typeUrl: string) => string
  /** The number of messages that enclose this one. */
  readonly depth?: number
}

/**
 * Returns the message of JSON parsed with `JSON.parse`, in which numbers may be spelled, ready to be
 * encoded. Names may be in snake case or camel case. Throws `ProtoJsonError` with Go's text.
 */
export function fromJson(name: string, json: unknown, options: Options = {}): MessageValue {
  switch (name) {
    case 'google.protobuf.Timestamp':
      return timeOf(goStringOf(json))
    case 'google.protobuf.Duration':
      return durationOf(goStringOf(json))
    case 'google.protobuf.Any':
      return packedOfJson(json, options)
    default:
      return membersOf(name, objectOf(json), options)
  }
}

/** Returns the packed message of `{ "@type": …, … }`. Throws like `fromJson`. */
export function packedOfJson(json: unknown, options: Options = {}): Packed {
  const { '@type': typeUrl, ...members } = json === null ? {} : objectOf(json, 'map[string]*json.RawMessage')
  if (typeUrl === undefined || typeUrl === null) throw new ProtoJsonError("Any JSON doesn't have '@type'")
  if (typeof typeUrl !== 'string') {
    const raw = typeUrl instanceof SpelledNumber ? typeUrl.raw : JSON.stringify(typeUrl)
    throw new ProtoJsonError(`can't unmarshal Any's '@type': ${goQuote(raw)}`)
  }
  if (!isRegistered(typeUrl)) throw new ProtoJsonError((options.unresolved ?? unresolved)(typeUrl))
  const name = typeUrl.slice(1)
  try {
    return { typeUrl, value: namedCodec(name).encode(membersOf(name, members, options)) }
  } catch (error) {
    if (!(error instanceof ProtoJsonError) || error instanceof NilMessage) throw error
    throw new ProtoJsonError(`can't unmarshal Any nested proto *${messageDescriptor(name).goName}: ${error.message}`)
  }
}

function unresolved(typeUrl: string): string {
  return `unable to resolve type URL ${typeUrl}`
}

/** The maximum nesting of messages, far above that of any transaction that a chain accepts. */
const depthMost = 100

type Members = Readonly<Record<string, unknown>>

function membersOf(name: string, members: Members, around: Options): MessageValue {
  const { depth = 0 } = around
  if (depth > depthMost) throw new ProtoJsonError('exceeded max depth')
  const options = { ...around, depth: depth + 1 }
  const left = new Map(Object.entries(members))
  const value: Record<string, unknown> = {}
  for (const field of messageDescriptor(name).fields) {
    const given = left.get(field.jsonName) ?? left.get(field.name)
    left.delete(field.jsonName)
    left.delete(field.name)
    // Go reads a null into its numbers, as an empty text.
    const isRead = given !== null || (isNumber(field) && !field.isNullable && !field.isList)
    if (given === undefined || !isRead) continue
    value[field.jsonName] = fieldOf(field, given ?? '', options)
  }
  const [unknown] = left.keys()
  if (unknown !== undefined && options.ignoresUnknown !== true) {
    throw new ProtoJsonError(`unknown field "${unknown}" in ${messageDescriptor(name).goName}`)
  }
  return value
}

function fieldOf(field: Field, json: unknown, options: Options): unknown {
  if (!field.isList) return itemOf(field, json, options)
  if (field.kind === 'message' && messageDescriptor(field.typeName).isMapEntry) {
    return Object.entries(objectOf(json)).map(([key, value]) => membersOf(field.typeName, { key, value }, options))
  }
  if (!Array.isArray(json)) throw wrongType(json, '[]json.RawMessage')
  return json.map((each: unknown) => (each === null ? emptyItem(field) : itemOf(field, each, options)))
}

/** Returns what Go makes of a null in a list. Throws `NilMessage` for a pointer. */
function emptyItem(field: Field): unknown {
  if (field.kind === 'message' && field.isNullable) throw new NilMessage()
  const { zero } = fieldTypeOf({ ...field, isList: false })
  return zero()
}

function itemOf(field: Field, json: unknown, options: Options): unknown {
  switch (field.kind) {
    case 'message':
      return fromJson(field.typeName, json, options)
    case 'enum':
      return typeof json === 'string' ? enumOf(field.typeName, json) : Number(wholeOf(json, 'int32'))
    case 'int32':
    case 'uint32':
      return Number(wholeOf(json, field.kind))
    case 'int64':
    case 'uint64':
      return wholeOf(json, field.kind)
    case 'sfixed64':
      return wholeOf(json, 'int64')
    case 'bool':
      return flagOf(json)
    case 'bytes':
      return bytesOf(field, json)
    default:
      return digitsOf(field, goStringOf(json))
  }
}

/** Returns bytes in base64, or those of an array of numbers, which Go reads too and evmosjs sends. */
function bytesOf(field: Field, json: unknown): Uint8Array {
  const { customType } = field
  if (Array.isArray(json) && customType === '') return Uint8Array.from(json, byteOf)
  const text = goStringOf(json, '[]uint8')
  if (customType === 'EthereumTx') return new Uint8Array(Buffer.from(text.replace(/^0x/, ''), 'hex'))
  if (isNumber(field)) return new TextEncoder().encode(digitsOf(field, text))
  const bytes = readBase64(text)
  if (typeof bytes === 'string') throw new ProtoJsonError(bytes)
  return bytes
}

function byteOf(json: unknown): number {
  if (json === null) return 0
  if (typeof json === 'string') throw wrongType(json, 'uint8')
  return Number(wholeOf(json, 'uint8'))
}

function durationOf(spelled: string): Time {
  const nanos = nanosOf(spelled)
  const [least, most] = goRanges.int64
  if (nanos < least || nanos > most) throw new ProtoJsonError(`bad Duration: time: invalid duration "${spelled}"`)
  return { seconds: nanos / 1_000_000_000n, nanos: Number(nanos % 1_000_000_000n) }
}

function nanosOf(spelled: string): bigint {
  try {
    return goDurationNanos(spelled)
  } catch (error) {
    if (!(error instanceof InvalidDuration)) throw error
    throw new ProtoJsonError(`bad Duration: ${error.message}`)
  }
}

function timeOf(spelled: string): Time {
  try {
    return parseTime(spelled)
  } catch (error) {
    if (!(error instanceof TimeSyntaxError)) throw error
    throw new ProtoJsonError(`bad Timestamp: ${error.message}`)
  }
}

/** Returns the digits of a number of Go's type, as they are stored; the text of another type. */
function digitsOf({ customType }: Field, spelled: string): string {
  if (customType === decType) {
    const value = unpointed(spelled)
    if (typeof value === 'string') throw new ProtoJsonError(value)
    return value.toString()
  }
  if (customType !== intType) return spelled
  const value = bigIntegerOf(spelled)
  if (value === undefined) {
    throw new ProtoJsonError(`math/big: cannot unmarshal ${goQuote(spelled)} into a *big.Int`)
  }
  if (value >= mostInt || value <= -mostInt) throw new ProtoJsonError(`integer out of range: ${spelled}`)
  return value.toString()
}

const mostInt = 2n ** 256n

function enumOf(type: string, name: string): number {
  const found = findEnum(type)?.values.find((value) => value.name === name)
  if (found === undefined) throw new ProtoJsonError(`unknown value "${name}" for enum ${type}`)
  return found.number
}

function objectOf(value: unknown, goType = 'map[string]json.RawMessage'): Members {
  const isObject = typeof value === 'object' && !Array.isArray(value) && !(value instanceof SpelledNumber)
  if (isObject && value !== null) return { ...value }
  throw wrongType(value, goType)
}

function goStringOf(value: unknown, goType = 'string'): string {
  if (typeof value === 'string') return value
  throw wrongType(value, goType)
}

/**
 * A number may be written as a text, which Go then reads as JSON. `JSON.parse` has rounded a large
 * number that is not, so it is refused.
 */
function wholeOf(given: unknown, kind: IntegerKind): bigint {
  const value = given instanceof SpelledNumber ? given.raw : given
  const isRounded = typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (isRounded || (typeof value !== 'number' && typeof value !== 'string')) throw wrongType(value, kind)
  const { type, raw } = goJsonOf(String(value))
  if (type === 'null') return 0n
  if (type !== 'number') throw new ProtoJsonError(`json: cannot unmarshal ${type} into Go value of type ${kind}`)
  const [least, most] = goRanges[kind]
  const number = /^-?\d+$/.test(raw) ? BigInt(raw) : undefined
  if (number !== undefined && number >= least && number <= most) return number
  throw new ProtoJsonError(`json: cannot unmarshal number ${raw} into Go value of type ${kind}`)
}

function goJsonOf(text: string): Json {
  try {
    return parseJson(text)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw new ProtoJsonError(error.message)
  }
}

function flagOf(value: unknown): boolean {
  if (typeof value === 'boolean') return value
  throw wrongType(value, 'bool')
}

function wrongType(value: unknown, wanted: string): ProtoJsonError {
  const type = value instanceof SpelledNumber ? 'number' : typeof value
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : goNames[type]
  return new ProtoJsonError(`json: cannot unmarshal ${found} into Go value of type ${wanted}`)
}

const goNames: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  boolean: 'bool',
  object: 'object',
}

/** JSON that does not match the message; the text is Go's, as closely as it is known. */
export class ProtoJsonError extends SimError {
  constructor(text: string) {
    super('BAD_PROTO_JSON', text, {
      hint: 'Write the message as the SDK does: "@type", snake_case names, whole numbers as texts.',
    })
  }
}

/** A null in a list of messages: the node panics when it encodes the list. */
export class NilMessage extends ProtoJsonError {
  constructor() {
    super(nilPointer)
  }
}
